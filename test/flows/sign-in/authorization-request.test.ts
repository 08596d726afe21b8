import {describe, expect, test} from 'vitest';
import {checkAuthorization, newAttempt} from '../../../src/flows/sign-in/authorization-request.ts';
import {oauthClient} from '../../../src/flows/sign-in/oauth-client.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {type Handler, json} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';
import {identityProvider, type Routes} from './support/identity-provider.ts';

const redirectUri = 'http://127.0.0.1:55152/auth-callback';
const asked = {scopes: ['openid', 'offline_access'], resource: 'https://api.acme.example/mcp'};
const request = {asked, redirectUri};

const clientOf = async (issuer: string) => {
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
  const client = await oauthClient({issuer, clientId: 'platform-cli', authentication: {method: 'none'}}, run);
  return {client, run, input: {issuer, clientId: 'platform-cli', ...request}};
};

test('a request asks for everything that is wanted, and its consent to be given again', async () => {
  const {client} = await clientOf(await identityProvider());
  const {url, state, nonce} = await newAttempt(client, {...request, claims: '{"id_token":{}}'});
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    ...{client_id: 'platform-cli', redirect_uri: redirectUri, response_type: 'code', state, nonce},
    ...{scope: 'openid offline_access', resource: asked.resource, prompt: 'consent', claims: '{"id_token":{}}'},
    ...{code_challenge: expect.any(String), code_challenge_method: 'S256'},
  });
});

describe('a pushed request (RFC 9126)', () => {
  /** Starts an identity provider that takes pushed requests, and records what was pushed. */
  const pushing = async (metadata: object, more: Routes = () => ({})) => {
    const forms: URLSearchParams[] = [];
    const par: Handler = async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      forms.push(new URLSearchParams(Buffer.concat(chunks).toString()));
      json({request_uri: 'urn:example:1', expires_in: 60}, 201)(incoming, response);
    };
    const issuer = await identityProvider(
      own => ({pushed_authorization_request_endpoint: `${own}/par`, ...metadata}),
      own => ({'/par': par, ...more(own)}),
    );
    return {issuer, forms};
  };

  test('is made where the metadata demand it', async () => {
    const {issuer, forms} = await pushing({require_pushed_authorization_requests: true});
    const {client} = await clientOf(issuer);
    const {url} = await newAttempt(client, request);
    expect(Object.fromEntries(url.searchParams)).toEqual({client_id: 'platform-cli', request_uri: 'urn:example:1'});
    expect(forms[0]?.get('code_challenge_method')).toBe('S256');
    expect(forms[0]?.get('scope')).toBe('openid offline_access');
  });

  const only: Routes = () => ({
    '/authorize': (incoming, response) => {
      const query = new URL(incoming.url ?? '', 'http://any').searchParams;
      const refusal = new URLSearchParams({
        error: 'invalid_request',
        error_description: 'Pushed Authorization Request is only allowed.',
      });
      if (query.has('request_uri')) response.writeHead(200, {'Content-Type': 'text/html'}).end('<html>Sign in');
      else response.writeHead(302, {Location: `${redirectUri}?${refusal}`}).end();
    },
  });

  test('is made where the client demands it, which its refusal tells', async () => {
    const {issuer, forms} = await pushing({}, only);
    const {client, input, run} = await clientOf(issuer);
    expect(await checkAuthorization(client, input, run)).toEqual({isPushed: true});
    expect(forms).toHaveLength(1);
  });

  test('that the endpoint refuses is told as that, with where its need is switched off', async () => {
    // Keycloak 22 answers every client without a secret in this way.
    const refusing: Routes = own => ({
      ...only(own),
      '/par': json({error: 'invalid_request', error_description: 'Authentication failed.'}, 401),
    });
    const {issuer} = await pushing({}, refusing);
    const {client, input, run} = await clientOf(issuer);
    await expect(worded(checkAuthorization(client, input, run))).rejects.toMatchObject({
      code: 'auth-par-required',
      message: `${issuer} requires pushed authorization requests from platform-cli, but refuses them (invalid_request: Authentication failed.).`,
      remedy: expect.stringMatching(
        /^Ask the operators of .*: Do not require pushed authorization requests of platform-cli/,
      ),
    });
  });

  test('cannot be made where no endpoint is named for it', async () => {
    const {client, input, run} = await clientOf(await identityProvider({}, only));
    await expect(checkAuthorization(client, input, run)).rejects.toMatchObject({code: 'auth-par-required'});
  });
});

describe('what is refused one redirect later', () => {
  const later =
    (status: number, body: string): Routes =>
    () => ({
      '/authorize': (_, response) => void response.writeHead(302, {Location: '/connector?x=1'}).end(),
      '/connector': (_, response) => void response.writeHead(status, {'Content-Type': 'text/html'}).end(body),
    });

  test.each([
    [400, '<html><head><title>x</title></head><h1>Bad Request</h1>Unregistered redirect_uri.', 'auth-redirect-refused'],
    [404, '<html>Invalid client_id.', 'auth-client-unknown'],
    [400, '<html>Something', 'auth-redirect-refused'],
  ])('is said before the browser opens: %i %s', async (status, body, code) => {
    const {client, input, run} = await clientOf(await identityProvider({}, later(status, body)));
    await expect(checkAuthorization(client, input, run)).rejects.toMatchObject({code});
  });

  test.each([
    [200, '<html>Sign in'],
    [404, '<html>A page for browsers alone'],
    [500, '<html>Unregistered redirect_uri.'],
  ])('is nothing where the page is one to sign in at, or says nothing of it: %i %s', async (status, body) => {
    const {client, input, run} = await clientOf(await identityProvider({}, later(status, body)));
    expect(await checkAuthorization(client, input, run)).toEqual({isPushed: false});
  });

  // As oidc-provider answers: its page knows the request by a cookie only.
  test('is no page that misses the cookies of the first answer', async () => {
    const seen: (string | undefined)[] = [];
    const withCookies: Routes = () => ({
      '/authorize': (_, response) => {
        const expires = 'Wed, 21 Oct 2037 07:28:00 GMT';
        const cookies = [
          `_interaction=abc; path=/page; expires=${expires}; httponly`,
          '_interaction.sig=x-y=; path=/page',
        ];
        response.writeHead(303, {Location: '/page', 'Set-Cookie': cookies}).end();
      },
      '/page': ({headers}, response) => {
        seen.push(headers.cookie);
        response.writeHead(headers.cookie ? 200 : 400, {'Content-Type': 'application/json'});
        response.end(JSON.stringify({error: 'invalid_request', error_description: 'session id cookie not found'}));
      },
    });
    const {client, input, run} = await clientOf(await identityProvider({}, withCookies));
    expect(await checkAuthorization(client, input, run)).toEqual({isPushed: false});
    expect(seen).toEqual(['_interaction=abc; _interaction.sig=x-y=']);
  });

  test('is not looked for at providers that refuse at once', async () => {
    const auth0 = (own: string) => ({
      token_endpoint: `${own}/oauth/token`,
      mfa_challenge_endpoint: `${own}/mfa/challenge`,
    });
    const issuer = await identityProvider(auth0, later(400, '<html>Unregistered redirect_uri.'));
    const {client, input, run} = await clientOf(issuer);
    expect(await checkAuthorization(client, input, run)).toEqual({isPushed: false});
  });

  test('is not looked for where the answer came back already', async () => {
    const asked: string[] = [];
    const back: Routes = () => ({
      '/authorize': (incoming, response) => {
        asked.push(incoming.url ?? '');
        const {origin} = new URL(`http://${incoming.headers.host}`);
        response.writeHead(302, {Location: `${origin}/authorize?error=access_denied`}).end();
      },
    });
    const {client, input, run} = await clientOf(await identityProvider({}, back));
    await expect(checkAuthorization(client, input, run)).rejects.toMatchObject({code: 'auth-redirect-refused'});
    expect(asked).toHaveLength(1);
  });

  test('is not looked for on another origin', async () => {
    const elsewhere: Routes = () => ({
      '/authorize': (_, response) => void response.writeHead(302, {Location: 'http://127.0.0.1:1/login'}).end(),
    });
    const {client, input, run} = await clientOf(await identityProvider({}, elsewhere));
    expect(await checkAuthorization(client, input, run)).toEqual({isPushed: false});
  });
});

describe('PKCE', () => {
  test('that is not listed is a question, with its risk', async () => {
    const {client, input, run} = await clientOf(await identityProvider({code_challenge_methods_supported: undefined}));
    await expect(worded(checkAuthorization(client, input, run))).rejects.toMatchObject({
      code: 'auth-pkce-unlisted',
      message: expect.stringContaining('could take the sign-in over'),
      remedy: expect.stringContaining('--assume-pkce'),
      about: {url: input.issuer, flag: 'assume-pkce'},
    });
    expect(await checkAuthorization(client, {...input, assumesPkce: true}, run)).toEqual({isPushed: false});
  });

  test('that is listed without S256 is refused, whatever the person says', async () => {
    const {client, input, run} = await clientOf(await identityProvider({code_challenge_methods_supported: ['plain']}));
    const wanted = {...input, assumesPkce: true};
    await expect(checkAuthorization(client, wanted, run)).rejects.toMatchObject({code: 'auth-pkce-missing'});
  });
});

test('a provider whose tokens cannot serve is said to be that before anything is asked of the person', async () => {
  const {client, input, run} = await clientOf(
    await identityProvider(own => ({jwks_uri: `${own}/oauth/discovery/keys`, token_endpoint: `${own}/oauth/token`})),
  );
  await expect(worded(checkAuthorization(client, input, run))).rejects.toMatchObject({
    code: 'auth-token-opaque',
    message: expect.stringContaining('so the sign-in was not started'),
    remedy: expect.stringContaining('Use an identity provider that issues JWTs'),
    about: {url: input.issuer},
  });
});

describe('a page that refuses', () => {
  const refusing = async (body: string, type = 'text/html') => {
    const asked: (string | undefined)[] = [];
    const page: Routes = () => ({
      '/authorize': (incoming, response) => {
        asked.push(incoming.headers.accept);
        response.writeHead(400, {'Content-Type': type}).end(body);
      },
    });
    const {client, input, run} = await clientOf(await identityProvider({}, page));
    const error = await checkAuthorization(client, input, run).catch(caught => caught);
    return {message: String(error.message), code: error.code, asked};
  };

  test('is quoted by its text, without what browsers do not show', async () => {
    const page = `<html><!-- was <b>another</b> page --><head><title>Oh</title></head><style>p {}</style><script>
      var a = 1;</script><p class="x">The   client is</p>\n<b>not here</b></html>`;
    expect((await refusing(page)).message).toMatch(/ \(The client is not here\)\.$/);
  });

  test.each([
    [200, true],
    [201, false],
  ])('is quoted up to 200 characters: %i', async (length, isQuoted) => {
    const {message} = await refusing(`<p>${'x'.repeat(length)}</p>`);
    expect(message.includes('xxx')).toBe(isQuoted);
  });

  test('is not read to its end where that is far', async () => {
    const {message} = await refusing(`<!--${' '.repeat(20_000)}--><p>behind</p>`);
    expect(message).not.toContain('behind');
  });

  test('may be JSON for who says that they take that', async () => {
    const {message, code, asked} = await refusing('{"error":"Client not found."}', 'application/json');
    expect([code, message]).toEqual(['auth-client-unknown', expect.stringMatching(/ \(Client not found\.\)\.$/)]);
    expect(asked[0]).toMatch(/^application\/json/);
  });
});
