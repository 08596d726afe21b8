import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {clientOf, sandboxPlatform} from '../../support/platform.ts';
import {type Handler, json, serve, text} from '../../support/server.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';
import {createWith, obtain} from './support/obtain.ts';

describe('a token by client credentials', () => {
  test.each([
    ['mcp-client', 'client_secret_basic'],
    ['service-account', 'client_secret_post'],
  ] as const)('%s', async (method, authentication) => {
    const ready = await sandboxPlatform();
    const {clientId, secret} = clientOf(ready, authentication);
    const {result, events, token} = await obtain(ready.authUrl, clientId, secret, method);

    expect(token.split('.')).toHaveLength(3);
    expect(result.account).toBe(clientId);
    expect(Math.abs((result.expiresAt ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const told = JSON.stringify([result, events]);
    expect(told).not.toContain(token);
    expect(told).not.toContain(secret);
  });

  test('a wrong secret names the client and not the secret', async () => {
    const ready = await sandboxPlatform();
    const {clientId} = clientOf(ready, 'client_secret_basic');
    const error = await obtain(ready.authUrl, clientId, 'canary', 'mcp-client').catch(caught => caught);
    expect(error).toMatchObject({code: 'auth-client-refused', message: expect.stringContaining(clientId)});
    expect(error.about).toMatchObject({url: ready.authUrl, server: ready.authUrl, isByEndpoint: true, status: 401});
    expect(JSON.stringify([error.message, error.remedy])).not.toContain('canary');
  });

  test.each([
    ['client_secret_basic', 'service-account'],
    ['client_secret_post', 'mcp-client'],
  ] as const)('a client that is registered for %s is used as that, also as a %s', async (registered, kind) => {
    const ready = await sandboxPlatform();
    const {clientId, secret} = clientOf(ready, registered);
    const {result} = await obtain(ready.authUrl, clientId, secret, kind);
    expect(result.account).toBe(clientId);
  });

  test.each([
    ['decodes', '1.2', 'odd:client %+/'],
    // A server that does not decode takes the first colon as the end of the ID.
    ['compares what was sent', '0.14', 'odd client %+/'],
  ] as const)(
    'a name with characters that Basic has to encode, at a server that %s',
    async (_what, release, clientId) => {
      const ready = await sandboxPlatform('single', {release});
      const ports = await temporaryPorts();
      const {secret} = (await createWith(ready, ports, {clientId})).result;
      const {token} = await obtain(ready.authUrl, clientId, secret.reveal(), 'mcp-client');
      expect(token).not.toBe('');
    },
  );
});

describe('an identity provider that is not well', () => {
  /** Starts a provider with correct discovery and a token endpoint that answers as the test says. */
  const provider = async (token: Handler) => {
    const issuer: string = await serve((request, response) => {
      if (request.url === '/oauth2/token') token(request, response);
      else json({issuer, token_endpoint: `${issuer}/oauth2/token`})(request, response);
    });
    return issuer;
  };

  test.each([
    ['HTML with 200', text('<html>', 200, 'text/html'), 'network-portal'],
    ['HTML with 502', text('<html>', 502, 'text/html'), 'platform-error'],
    ['a truncated answer', text('{"access_token":', 200, 'application/json'), 'platform-invalid-answer'],
    ['an answer without a token', json({token_type: 'Bearer'}), 'platform-invalid-answer'],
    ['a foreign token type', json({access_token: 'x', token_type: 'mac'}), 'platform-invalid-answer'],
    [
      'a grant that is not allowed',
      json({error: 'unauthorized_client', error_description: 'no'}, 400),
      'auth-service-account-off',
    ],
    [
      'an error in the platform’s own words',
      json({error: 'server_error', error_description: 'a\u001B[2Jb'}, 500),
      'platform-error',
    ],
  ])('%s', async (_name, handler, code) => {
    const issuer = await provider(handler);
    const error = await obtain(issuer, 'mcp_client', 'canary', 'mcp-client').catch(caught => caught);
    expect(error).toMatchObject({code, message: expect.stringContaining(issuer)});
    expect(error.message).not.toMatch(/canary|\u001B/);
  });

  test('a token endpoint that redirects gets no secret sent on', async () => {
    let arrived = 0;
    const thief = await serve((_request, response) => {
      arrived += 1;
      response.end();
    });
    const issuer = await provider((_request, response) => response.writeHead(307, {Location: `${thief}/`}).end());
    await expect(obtain(issuer, 'mcp_client', 'canary', 'service-account')).rejects.toMatchObject({
      code: expect.any(String),
    });
    expect(arrived).toBe(0);
  });

  test('a token endpoint without TLS on another machine gets no secret at all', async () => {
    const issuer: string = await serve((request, response) => {
      json({issuer, token_endpoint: 'http://10.255.255.1/oauth2/token'})(request, response);
    });
    await expect(obtain(issuer, 'mcp_client', 'canary', 'mcp-client')).rejects.toMatchObject({
      code: 'auth-endpoint-foreign',
    });
  });
});

describe('a request for a token', () => {
  const request = async (issuer: string, more: object = {}) => {
    const input = {issuer, clientId: 'ci', method: 'service-account', secret: new Secret('canary'), ...more} as const;
    return collect(obtainToken, input, await temporaryPorts());
  };

  test('names the resource that it is for, and tells which server that is', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const resource = 'https://observer.example/mcp';
    const {events} = await request(issuer, {wanted: {scopes: [], resource}, server: 'observability'});
    await request(issuer);
    expect(asked.map(form => form.get('resource'))).toEqual([resource, null]);
    expect(events).toContainEqual(expect.objectContaining({type: 'token-obtained', server: 'observability'}));
  });

  test('is not made without a secret', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    await expect(request(issuer, {secret: undefined})).rejects.toMatchObject({
      code: 'input-required',
      about: {flag: 'client-secret-stdin'},
    });
    expect(asked).toEqual([]);
  });

  test.each([
    ['is not made', ['private_key_jwt'], 'auth-method-missing'],
    ['is made', ['client_secret_basic'], undefined],
    ['is made', ['client_secret_basic', 'client_secret_post'], undefined],
  ])('%s where the identity provider offers %j', async (_what, token_endpoint_auth_methods_supported, code) => {
    let asked = 0;
    const issuer: string = await serve((call, response) => {
      if (call.method === 'POST') asked += 1;
      const token = {access_token: 'x', token_type: 'Bearer'};
      json({issuer, token_endpoint: `${issuer}/token`, token_endpoint_auth_methods_supported, ...token})(
        call,
        response,
      );
    });
    const error = await request(issuer).then(
      () => undefined,
      caught => caught,
    );
    expect(error?.code).toBe(code);
    expect(error?.about.url).toBe(code && issuer);
    expect(asked).toBe(code === undefined ? 1 : 0);
  });
});
