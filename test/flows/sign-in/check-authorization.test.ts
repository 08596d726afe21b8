import {describe, expect, test} from 'vitest';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {checkAuthorization} from '../../../src/flows/sign-in/authorization-request.ts';
import {standard} from '../../../src/identity-providers/catalogue/standard.ts';
import {noSignal} from '../../support/flows.ts';
import {unknownClients} from './dialects/recorded-answers.ts';

const issuer = 'https://idp.example.com';
const redirectUri = 'http://127.0.0.1:55152/auth-callback';

type Reply = {
  readonly status: number;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Checks an identity provider with this metadata and this answer to an authorization request. */
const look = async (
  metadata: object = {},
  {status, location, headers = {}, body = ''}: Reply = {status: 200},
  resource?: string,
) => {
  const asked: {url: URL; redirects: string}[] = [];
  const told: FlowEvent[] = [];
  const client = {
    provider: standard,
    configuration: {
      serverMetadata: () => ({
        supportsPKCE: () => true,
        authorization_endpoint: `${issuer}/authorize`,
        ...metadata,
      }),
    },
    library: {
      randomState: () => 'the-state',
      randomNonce: () => 'the-nonce',
      randomPKCECodeVerifier: () => 'the-verifier',
      calculatePKCECodeChallenge: async (verifier: string) => `${verifier} hashed`,
      buildAuthorizationUrl: (_: unknown, parameters: Record<string, string>) =>
        new URL(`${issuer}/authorize?${new URLSearchParams(parameters)}`),
    },
  };
  const send = async (request: {url: URL; redirects: string}) => {
    asked.push(request);
    const all = new Headers({...headers, ...(location === undefined ? {} : {location})});
    const header = (name: string) => all.get(name) ?? undefined;
    return {status, header, body};
  };
  const wanted = {scopes: ['openid', 'email'], ...(resource ? {resource} : {})};
  const input = {issuer, clientId: 'platform-cli', redirectUri, asked: wanted};
  const run = {ports: {http: {send}}, signal: noSignal, tell: (event: FlowEvent) => void told.push(event)};
  const checked = await checkAuthorization(client as never, input, run as never);
  return {asked, told, checked};
};

describe('what an identity provider offers', () => {
  test('is held against it only where it tells', async () => {
    expect((await look()).told).toEqual([]);
    const all = {
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
    };
    expect((await look(all)).told).toEqual([]);
  });

  test('has to be the grant type and PKCE', async () => {
    await expect(look({grant_types_supported: ['refresh_token']})).rejects.toMatchObject({
      code: 'auth-grant-missing',
      about: {url: issuer},
    });
    const plain = {supportsPKCE: () => false, code_challenge_methods_supported: ['plain']};
    await expect(look(plain)).rejects.toMatchObject({
      code: 'auth-pkce-missing',
      about: {url: issuer},
    });
  });

  test('is not what it lists of refresh tokens, which the sign-in itself shows', async () => {
    const {told} = await look({
      grant_types_supported: ['authorization_code'],
      // Several providers omit `none` from their list and still accept public clients.
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    });
    expect(told).toEqual([]);
  });
});

describe('a request that nobody follows', () => {
  test('asks as the sign-in will', async () => {
    const {asked} = await look({}, {status: 200}, 'https://api/mcp');
    expect(asked.map(({redirects}) => redirects)).toEqual(['answer']);
    expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toEqual({
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: 'the-state',
      nonce: 'the-nonce',
      code_challenge: 'the-verifier hashed',
      code_challenge_method: 'S256',
      resource: 'https://api/mcp',
    });
    expect((await look()).asked[0]?.url.searchParams.has('resource')).toBe(false);
  });

  test.each<[string, Reply]>([
    ['a page', {status: 200}],
    ['a way to a page', {status: 302, location: '/login?state=1'}],
    ['a way that is none', {status: 302, location: 'http://'}],
    ['somebody who takes it for a robot', {status: 403, body: 'no'}],
    ['somebody who is asked too often', {status: 429, body: 'no'}],
  ])('is answered well by %s', async (_what, reply) => {
    await expect(look({}, reply)).resolves.toBeDefined();
  });

  test.each([
    [403, 403],
    [404, 404],
    [429, undefined],
    [200, undefined],
    // Some providers show their sign-in page with this status.
    [401, undefined],
  ])('with a page and %i may be refused to a browser too', async (status, refusedWith) => {
    expect((await look({}, {status, body: '<html>No'})).checked.refusedWith).toBe(refusedWith);
  });

  test('is answered by some before they look at the client', async () => {
    expect((await look({}, unknownClients['LemonLDAP::NG'])).checked).toEqual({isPushed: false});
  });

  test.each<[string, Reply, string, string]>([
    [
      'sent back with an error',
      {status: 302, location: `${redirectUri}?error=access_denied&error_description=No.`},
      'auth-authorization-failed',
      `${issuer} refuses the sign-in of platform-cli (access_denied: No.).`,
    ],
    [
      'sent back without a description',
      {status: 302, location: `${redirectUri}?error=access_denied`},
      'auth-authorization-failed',
      `${issuer} refuses the sign-in of platform-cli (access_denied).`,
    ],
    [
      'kept at an error page of its own',
      {status: 302, location: '/error?errorCode=E1&errorMessage=Unknown'},
      'auth-redirect-refused',
      `${issuer} has no client platform-cli with the redirect URL ${redirectUri} (E1: Unknown).`,
    ],
    [
      'sent to another path of the same origin',
      {status: 302, location: 'http://127.0.0.1:55152/other?error=no_such_thing'},
      'auth-redirect-refused',
      `${issuer} has no client platform-cli with the redirect URL ${redirectUri} (no_such_thing).`,
    ],
    [
      'refused without a word',
      {status: 400},
      'auth-redirect-refused',
      `${issuer} has no client platform-cli with the redirect URL ${redirectUri}.`,
    ],
    [
      'refused without a word, as Glewlwyd does',
      unknownClients.Glewlwyd,
      'auth-redirect-refused',
      `${issuer} has no client platform-cli with the redirect URL ${redirectUri}.`,
    ],
    [
      'refused in a word of its own, as zitadel/oidc does',
      unknownClients['zitadel/oidc'],
      'auth-redirect-refused',
      `${issuer} has no client platform-cli with the redirect URL ${redirectUri} (unable to retrieve client by id).`,
    ],
  ])('is %s', async (_what, reply, code, message) => {
    await expect(look({}, reply)).rejects.toMatchObject({code, message, about: {url: issuer}});
  });

  test('is refused for its resource', async () => {
    const reply = {status: 302, location: `${redirectUri}?error=invalid_target`};
    await expect(look({}, reply, 'https://api/mcp')).rejects.toMatchObject({
      code: 'auth-resource-refused',
      message: `${issuer} does not issue tokens for https://api/mcp (invalid_target).`,
      about: {url: issuer},
    });
  });
});
