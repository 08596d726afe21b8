import {expect, test} from 'vitest';
import {checkAssistantClients} from '../../../src/flows/sign-in/assistant-clients.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {closedOrigin, json, serve} from '../../support/server.ts';

const registered = 'http://localhost:8075/callback';

/** Starts an identity provider that compares its one redirect URI exactly and offers no refresh tokens. */
const identityProvider = async (host = '127.0.0.1') => {
  const asked: URLSearchParams[] = [];
  const issuer: string = await serve((request, response) => {
    const {pathname, searchParams} = new URL(request.url ?? '', issuer);
    if (pathname.startsWith('/.well-known/')) {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        grant_types_supported: ['authorization_code'],
        code_challenge_methods_supported: ['S256'],
      })(request, response);
    }
    asked.push(searchParams);
    const isTaken = searchParams.get('redirect_uri') === registered;
    response.writeHead(isTaken ? 200 : 400, {'content-type': 'application/json'});
    response.end(
      isTaken ? '{}' : JSON.stringify({error: 'invalid_request', error_description: 'Invalid redirect URI'}),
    );
  }, host);
  return {issuer, asked};
};

const claude = {id: 'claude-code', name: 'Claude Code', redirectUris: [registered]};
const codex = {id: 'codex-cli', name: 'Codex CLI', redirectUris: ['http://127.0.0.1/callback/one']};
const wanted = {scopes: ['openid'], resource: 'https://api.example.com/mcp'};

test('each assistant is asked for as it will ask, and only who is refused is named', async () => {
  const {issuer, asked} = await identityProvider();
  const input = {issuer, clientId: 'user_mcp_client', wanted, assistants: [claude, codex]};
  const {result, events} = await collect(checkAssistantClients, input, await temporaryPorts());
  // An address without a port stands for any port, so the check asks with some port.
  const redirect = 'http://127.0.0.1:49152/callback/one';
  expect(result).toEqual({
    'codex-cli': expect.stringContaining(`no client user_mcp_client with the redirect URL ${redirect}`),
  });
  expect(asked.map(query => query.get('redirect_uri'))).toEqual([registered, redirect]);
  expect(new Set(asked.map(query => query.get('client_id')))).toEqual(new Set(['user_mcp_client']));
  const told = events.filter(({type}) => !type.startsWith('call-'));
  // The person's own sign-in already told that there are no refresh tokens.
  expect(told).toEqual([
    {type: 'oauth-client-checked', assistant: 'Claude Code', taken: true},
    {type: 'oauth-client-checked', assistant: 'Codex CLI', taken: false},
  ]);
});

test('an assistant that wants TLS at the token endpoint does without only on this machine, by its usual names', async () => {
  const input = {clientId: 'a', wanted, assistants: [{...claude, signsInOverTls: true} as const]};
  const refused = async (host: string) => {
    const {issuer} = await identityProvider(host);
    return (await collect(checkAssistantClients, {...input, issuer}, await temporaryPorts())).result;
  };
  expect(await refused('127.0.0.1')).toEqual({});
  expect(await refused('localhost')).toEqual({});
  expect(await refused('idp.localhost')).toEqual({
    'claude-code': expect.stringMatching(/^Claude Code signs in over TLS only, and http:.*\/token has none\.$/),
  });
});

test('an identity provider that is not there refuses nobody: that is another failure', async () => {
  const input = {issuer: await closedOrigin(), clientId: 'a', wanted, assistants: [claude]};
  const run = collect(checkAssistantClients, input, await temporaryPorts());
  await expect(run).rejects.toMatchObject({code: 'network-refused'});
});
