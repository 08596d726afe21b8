import {writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import type {Credentials} from '../../src/domain/sign-in/credentials.ts';
import {signInAdmin} from '../../src/flows/sign-in/clients/sign-in-admin.ts';
import {deviceSignIn} from '../../src/flows/sign-in/device-sign-in.ts';
import {obtainToken} from '../../src/flows/sign-in/obtain-token.ts';
import {accessToken as takeToken} from '../../src/flows/sign-in/renewal/access-token.ts';
import {bundled} from '../../src/platform/bundled.ts';
import type {Keychain} from '../../src/ports/keychain.ts';
import {quickToken} from '../../src/quick-token.ts';
import {createCredentialsStore} from '../../src/state/stores/credentials-store.ts';
import {startLine} from '../faults/support/run-line.ts';
import {contextAt} from '../support/context.ts';
import {deviceServer} from '../support/device-server.ts';
import {collect, noSignal} from '../support/flows.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../support/place.ts';
import {json, serve} from '../support/server.ts';
import {tokenServer} from '../support/token-server.ts';

/** What a terminal, a header or a shell acts on. */
const unsafe = [
  ['an escape sequence', 'a\u001b[31mb'],
  ['a line break', 'a\r\nX-Injected: yes'],
  ['a C1 control', 'a\u009b31mb'],
  ['a bidirectional override', 'a\u202eb'],
  ['NUL', 'a\u0000b'],
  ['a letter beyond ASCII', 'aéb'],
] as const;

const wrongRefreshTokens = [...unsafe, ['900,000 characters', 'a'.repeat(900_000)]] as const;

const wrongAccessTokens = [...wrongRefreshTokens, ['a space', 'a b'], ['quotes', 'a"b']] as const;

const grantOf = (token: object) => ({token_type: 'Bearer', expires_in: 3600, ...token});

const clientContext = (issuer: string) =>
  ({...contextAt(issuer), signIn: 'service-account', clientId: 'robot'}) as const;

/** A kept sign-in whose token has ended. */
const renewing = (kept: Partial<Credentials>, signIn: 'browser' | 'service-account') => async (answer: object) => {
  const {issuer} = await tokenServer(() => ({body: answer}));
  const ports = await temporaryPorts();
  const context = signIn === 'browser' ? contextAt(issuer) : clientContext(issuer);
  const {clientId} = context;
  await ports.credentials.replace(context, {issuer, clientId, accessToken: 'old', expiresAt: 1, ...kept});
  const token = collect(takeToken(context, ports, noSignal)).then(({result}) => result.accessToken);
  return {issuer, token, ports, context};
};

/** Each way in which a token comes in, with what the token endpoint answers. */
const grants = {
  'the grant of a client': async (answer: object) => {
    const {issuer} = await tokenServer(() => ({body: answer}));
    const input = {issuer, clientId: 'robot', method: 'service-account', secret: new Secret('s')} as const;
    const token = collect(obtainToken(input, await temporaryPorts(), noSignal)).then(({result}) => result);
    return {issuer, token};
  },
  'a renewal by a refresh token': renewing({refreshToken: 'refresh-0'}, 'browser'),
  'a renewal by a secret': renewing({clientSecret: 's'}, 'service-account'),
  'a sign-in with a code': async (answer: object) => {
    const {issuer} = await deviceServer([{body: answer}]);
    const input = {issuer, clientId: 'cli', wanted: {scopes: []}};
    return {issuer, token: collect(deviceSignIn(input, await temporaryPorts(), noSignal)).then(({result}) => result)};
  },
};

const signInAsAdmin = async (assertion: string) => {
  const authUrl = await serve(json({flowStatus: 'COMPLETE', assertion}));
  const input = {platform: bundled, authUrl, applicationId: 'app', username: 'admin', password: 'x'};
  return {
    issuer: authUrl,
    token: signInAdmin(input, {ports: await temporaryPorts(), signal: noSignal, tell: () => {}}),
  };
};

const malformed = (issuer: string, which: 'access' | 'refresh') => ({
  code: 'platform-invalid-answer',
  message: expect.stringMatching(new RegExp(`^${issuer}/\\S+ returned an? ${which} token`)),
  remedy: expect.stringContaining('operators'),
  about: {url: expect.stringContaining(issuer)},
});

describe.each(wrongAccessTokens)('an access token with %s', (_what, token) => {
  test.each(Object.entries(grants))('is not taken from %s', async (_name, grant) => {
    const {issuer, token: taken} = await grant(grantOf({access_token: token, refresh_token: 'refresh-1'}));
    const failure = await taken.catch((error: unknown) => error);
    expect(failure).toMatchObject(malformed(issuer, 'access'));
    expect(String((failure as Error).message)).not.toContain(token);
  });

  test('is not taken from the sign-in of an administrator', async () => {
    const {issuer, token: taken} = await signInAsAdmin(token);
    await expect(taken).rejects.toMatchObject(malformed(issuer, 'access'));
  });
});

describe.each(wrongRefreshTokens)('a refresh token with %s', (_what, token) => {
  test.each(Object.entries(grants))('is not taken from %s', async (_name, grant) => {
    const {issuer, token: taken} = await grant(grantOf({access_token: 'access-1', refresh_token: token}));
    await expect(taken).rejects.toMatchObject(malformed(issuer, 'refresh'));
  });
});

test.each([
  ['of every character that it may have', 'a.b-c_d~e+f/g=='],
  ['that is a JWT without a signature', 'eyJhbGciOiJub25lIn0.e30.'],
  ['of 16 KB', 'A'.repeat(16_000)],
])('an access token %s is taken from every grant', async (_what, token) => {
  for (const grant of Object.values(grants)) {
    const {token: taken} = await grant(grantOf({access_token: token, refresh_token: '1//a b!"~'}));
    await taken;
  }
});

test('a refresh token that came with an unusable access token is kept, as the one before is used up', async () => {
  const {token, ports, context} = await renewing(
    {refreshToken: 'refresh-0'},
    'browser',
  )(grantOf({access_token: 'a\u001bb', refresh_token: 'refresh-1'}));
  await expect(token).rejects.toMatchObject({code: 'platform-invalid-answer'});
  const kept = await ports.credentials.get(context);
  expect(kept).toMatchObject({refreshToken: 'refresh-1'});
  expect(kept).not.toHaveProperty('accessToken');
});

/** A home whose files have a sign-in that is good, but for its tokens. */
const homeWith = async (tokens: Partial<Credentials>, issuer = 'http://idp.acme.localhost:8080') => {
  const home = await temporaryDirectory();
  const ports = portsIn(home);
  const context = contextAt(issuer);
  const {clientId} = context;
  const now = Date.now();
  await ports.config.saveContext(context);
  const kept: Credentials = {issuer, clientId, obtainedAt: now, expiresAt: now + 3_600_000, ...tokens};
  const file = {version: 1, place: 'file', credentials: [kept]};
  await writeFile(ports.credentials.path, JSON.stringify(file), {mode: 0o600});
  return {home, ports, context, kept, env: {HOME: home, SETUP_HOME: home, PATH: '', LANG: 'C.UTF-8'}};
};

const ways: readonly (readonly string[])[] = [[], ['--header'], ['--mcp-header'], ['--json']];

describe.each(wrongAccessTokens)('a kept access token with %s', (_what, accessToken) => {
  test('is printed by no form of the command', async () => {
    const {env} = await homeWith({accessToken});
    for (const flags of ways) {
      expect(quickToken(flags, env, Date.now(), 1)).toBeUndefined();
      const {exit, stdout, stderr} = await startLine(['token', ...flags], env).ended;
      expect(`${exit} ${stdout}${stderr}`).toMatch(/^4 /);
      expect(stdout + stderr).not.toContain(accessToken);
      expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
      expect(stdout + stderr).toContain('sign in');
    }
  });

  test('is renewed where that can be done', async () => {
    const {issuer} = await tokenServer(() => ({body: grantOf({access_token: 'access-1'})}));
    const {ports, context} = await homeWith({accessToken, refreshToken: 'refresh-0'}, issuer);
    const {result} = await collect(takeToken(context, ports, noSignal));
    expect(result.accessToken).toBe('access-1');
  });

  test('is not taken from a keychain', async () => {
    const {ports, context, kept} = await homeWith({});
    const keychain: Keychain = {
      name: 'the test’s keychain',
      works: async () => true,
      get: async () => JSON.stringify({accessToken, refreshToken: 'a\u0000b', clientSecret: 5, inKeychain: true}),
      set: async () => {},
      remove: async () => {},
    };
    const file = {version: 1, place: 'keychain', credentials: [{...kept, inKeychain: true}]};
    await writeFile(ports.credentials.path, JSON.stringify(file), {mode: 0o600});
    const store = createCredentialsStore(ports.files, ports.credentials.path, async () => keychain);
    const found = await store.get(context);
    expect(found).toEqual(kept);
  });
});
