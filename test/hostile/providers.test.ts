import {writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createAccess} from '../../src/bridge/access.ts';
import type {Credentials} from '../../src/domain/credentials.ts';
import {pendingIn, pendingKey} from '../../src/domain/credentials.ts';
import {Secret} from '../../src/domain/secret.ts';
import {signInState} from '../../src/domain/sign-in-lifecycle.ts';
import type {FlowEvent} from '../../src/flows/flow.ts';
import {authorizationServerIn, challengedMetadata, issuerIn} from '../../src/flows/metadata.ts';
import {accessToken as takeToken} from '../../src/flows/sign-in/access-token.ts';
import {checkAuthorization} from '../../src/flows/sign-in/authorization-request.ts';
import {obtainToken} from '../../src/flows/sign-in/client-credentials.ts';
import {deviceSignIn} from '../../src/flows/sign-in/device-sign-in.ts';
import {oauthClient} from '../../src/flows/sign-in/oauth-client.ts';
import {acquireLease} from '../../src/flows/sign-in/refresh-lease.ts';
import {signInAdmin} from '../../src/flows/sign-in/register-client.ts';
import {endSession} from '../../src/flows/sign-out.ts';
import {bundled} from '../../src/platform/platforms.ts';
import {fileVersion} from '../../src/ports/files/file-version.ts';
import type {Ports} from '../../src/ports/ports.ts';
import {quickToken} from '../../src/quick-token.ts';
import {createProviderStore} from '../../src/store/caches.ts';
import {createCredentialsStore} from '../../src/store/credentials-store.ts';
import type {Keychain} from '../../src/store/keychain.ts';
import {startLine} from '../faults/support/run-line.ts';
import {diagnosed} from '../flows/diagnosis/scene.ts';
import {identityProvider} from '../flows/sign-in/support/identity-provider.ts';
import {contextAt} from '../support/context.ts';
import {deviceServer, pending, token as typed} from '../support/device-server.ts';
import {collect, noSignal} from '../support/flows.ts';
import {hurried, portsIn, temporaryDirectory, temporaryPorts} from '../support/place.ts';
import {closedOrigin, json, serve} from '../support/server.ts';
import {tokenServer} from '../support/token-server.ts';

/** Characters that act on a terminal, a header or a shell. */
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

/** Sets up a saved sign-in whose token has expired. */
const renewing = (kept: Partial<Credentials>, signIn: 'browser' | 'service-account') => async (answer: object) => {
  const {issuer} = await tokenServer(() => ({body: answer}));
  const ports = await temporaryPorts();
  const context = signIn === 'browser' ? contextAt(issuer) : clientContext(issuer);
  const {clientId} = context;
  await ports.credentials.replace(context, {issuer, clientId, accessToken: 'old', expiresAt: 1, ...kept});
  const token = collect(takeToken, context, ports).then(({result}) => result.accessToken);
  return {issuer, token, ports, context};
};

/** Each way to get a token, with an answer of the token endpoint. */
const grants = {
  'the grant of a client': async (answer: object) => {
    const {issuer} = await tokenServer(() => ({body: answer}));
    const input = {issuer, clientId: 'robot', method: 'service-account', secret: new Secret('s')} as const;
    const token = collect(obtainToken, input, await temporaryPorts()).then(({result}) => result);
    return {issuer, token};
  },
  'a renewal by a refresh token': renewing({refreshToken: 'refresh-0'}, 'browser'),
  'a renewal by a secret': renewing({clientSecret: 's'}, 'service-account'),
  'a sign-in with a code': async (answer: object) => {
    const {issuer} = await deviceServer([{body: answer}]);
    const input = {issuer, clientId: 'cli', wanted: {scopes: []}};
    return {issuer, token: collect(deviceSignIn, input, hurried(await temporaryPorts())).then(({result}) => result)};
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

/** Sets up a home with a saved sign-in that is valid except for its tokens. */
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
    const {result} = await collect(takeToken, context, ports);
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

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];

/** Returns an unsigned token with these claims. */
const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;

describe('a token that was obtained while this machine’s clock was 30 days ahead', () => {
  const then = Date.now() + 30 * DAY;
  const ahead = {accessToken: 'access-0', obtainedAt: then, expiresAt: then + HOUR};

  test('is not handed out by what reads only the files', async () => {
    const {env} = await homeWith({...ahead, refreshToken: 'refresh-0'});
    expect(quickToken([], env, Date.now(), 1)).toBeUndefined();
    // Clocks may differ by a second or two.
    expect(quickToken([], env, then - SECOND, 1)).toBe('access-0\n');
  });

  test('is renewed, also where a renewal failed while it was', async () => {
    const {issuer, asked} = await tokenServer(() => ({body: grantOf({access_token: 'access-1'})}));
    const failure = {code: 'network-refused', message: 'Nothing listens there.', count: 3, askedUntil: then + HOUR};
    const {ports, context} = await homeWith(
      {...ahead, refreshToken: 'refresh-0', retryAt: then + HOUR, failure},
      issuer,
    );
    const {result} = await collect(takeToken, context, ports);
    expect([result.accessToken, asked.length]).toEqual(['access-1', 1]);
    expect((await ports.credentials.get(context))?.obtainedAt).toBeLessThan(Date.now() + SECOND);
  });

  test('is not handed out where it cannot be renewed', async () => {
    const alone = await homeWith(ahead);
    await expect(collect(takeToken, alone.context, alone.ports)).rejects.toMatchObject({
      code: 'auth-sign-in-required',
    });
    const away = await homeWith({...ahead, refreshToken: 'refresh-0'}, await closedOrigin());
    await expect(collect(takeToken, away.context, away.ports)).rejects.toMatchObject({
      code: 'network-refused',
    });
  });

  test('is not sent by the bridge', async () => {
    const {issuer} = await tokenServer(() => ({body: grantOf({access_token: 'access-1'})}));
    const {ports, context} = await homeWith({...ahead, refreshToken: 'refresh-0'}, issuer);
    const findContext = async (own: Ports) => ({context, ports: own});
    const access = createAccess({server: 'control-plane', findContext, fileVersion}, ports, noSignal);
    expect((await access.current()).token).toBe('access-1');
  });

  test('is shown as ended, without a time that is left', () => {
    const standing = signInState({issuer: 'i', clientId: 'c', ...ahead}, Date.now());
    expect(standing).toEqual({state: 'expired', renewable: false});
  });

  test('and what was kept of the provider then is asked for again', async () => {
    const {ports} = await homeWith({});
    const file = {version: 1, providers: {x: {metadata: {body: {issuer: 'x'}, until: then + HOUR}}}};
    const path = join(dirname(ports.credentials.path), 'providers.json');
    await writeFile(path, JSON.stringify(file), {mode: 0o600});
    const at = (now: number) => createProviderStore(ports.files, path, () => now).get('x');
    expect([await at(Date.now()), await at(then)]).toEqual([
      {},
      expect.objectContaining({metadata: expect.anything()}),
    ]);
  });

  test('and the right to send a refresh token that was acquired then, on another machine, holds nobody up', async () => {
    const {ports} = await homeWith({});
    const exclusiveFiles = {
      ...ports.exclusiveFiles,
      read: async () => JSON.stringify({process: {pid: 1, host: 'other'}, at: then}),
    };
    let reads = 0;
    const read = async (path: string) => {
      reads += 1;
      return reads === 1 ? exclusiveFiles.read() : ports.exclusiveFiles.read(path);
    };
    const lease = await acquireLease('refresh-0', {...ports, exclusiveFiles: {...exclusiveFiles, read}});
    expect(lease).toMatchObject({unanswered: 1});
  });
});

describe('the life of a token that is a JWT', () => {
  /** Returns the lifetime of a token from this answer, in seconds from now. */
  const lifeOf = async (answer: object, date: Date) => {
    const {issuer} = await tokenServer(() => ({body: grantOf(answer), headers: {Date: date.toUTCString()}}));
    const input = {issuer, clientId: 'robot', method: 'service-account', secret: new Secret('s')} as const;
    const {result} = await collect(obtainToken, input, await temporaryPorts());
    return result.expiresAt === undefined ? undefined : Math.round((result.expiresAt - Date.now()) / SECOND);
  };
  const endingAfter = (date: Date, seconds: number) => jwt({exp: Math.floor(date.getTime() / SECOND) + seconds});

  test.each([
    ['on time', 0],
    ['30 days ahead', -30 * DAY],
    ['30 days behind', 30 * DAY],
  ])(
    'is the shorter one of what it says and what the answer says, by the server’s clock (ours is %s)',
    async (_w, off) => {
      const date = new Date(Date.now() + off);
      const token = endingAfter(date, 600);
      expect(await lifeOf({access_token: token, expires_in: 365 * 86_400}, date)).toBeCloseTo(600, -1);
      expect(await lifeOf({access_token: token, expires_in: undefined}, date)).toBeCloseTo(600, -1);
      expect(await lifeOf({access_token: token, expires_in: 300}, date)).toBeCloseTo(300, -1);
      expect(await lifeOf({access_token: token, expires_in: 590}, date)).toBeCloseTo(590, -1);
    },
  );

  test('is what the answer says where the token had ended before, or says nothing', async () => {
    const date = new Date();
    expect(await lifeOf({access_token: endingAfter(date, -600)}, date)).toBeCloseTo(3600, -1);
    expect(await lifeOf({access_token: jwt({exp: 'soon'})}, date)).toBeCloseTo(3600, -1);
    expect(await lifeOf({access_token: 'opaque', expires_in: undefined}, date)).toBeUndefined();
  });
});

describe('a sign-in with a code', () => {
  /** Returns the pauses between polls, on a clock on which they end at once, and how the sign-in ended. */
  const pausesOf = async (code: object, polls: Parameters<typeof deviceServer>[0], seconds = 600) => {
    const {issuer, forms} = await deviceServer(polls, {seconds: 600, code: {...code, expires_in: seconds}});
    const ports = await temporaryPorts();
    const pauses: number[] = [];
    const end = Math.min(seconds * SECOND, DAY);
    // The wait for the code's expiry never ends.
    const sleep: Ports['clock']['sleep'] = async ms => (ms === end ? new Promise(() => {}) : void pauses.push(ms));
    const input = {issuer, clientId: 'cli', wanted: {scopes: []}};
    const ended = await collect(deviceSignIn, input, {
      ...ports,
      clock: {...ports.clock, now: () => 1_000_000, sleep},
    }).then(
      ({events}) => events,
      (error: unknown) => error,
    );
    return {pauses, ended, polls: forms.token.length, issuer};
  };
  const slowDown = {status: 400, body: {error: 'slow_down'}};

  test.each([
    ['a thousandth of a second', 0.001, [1_000, 1_000]],
    ['no number of seconds that a timer knows', 1e12, [86_400_000, 86_400_000]],
    ['nothing', undefined, [5_000, 5_000]],
    ['two seconds', 2, [2_000, 2_000]],
  ])(
    'asks no more often than once a second, where the provider wants %s between',
    async (_what, interval, expected) => {
      const {pauses} = await pausesOf({interval}, [pending, typed]);
      expect(pauses).toEqual(expected);
    },
  );

  test('asks less often each time that it is told to, and goes on so', async () => {
    const {pauses} = await pausesOf({interval: 0.001}, [slowDown, slowDown, pending, typed]);
    expect(pauses).toEqual([1_000, 6_000, 11_000, 11_000]);
  });

  test('ends at a time that a date can hold, whatever the provider says', async () => {
    const {ended} = await pausesOf({}, [typed], 1e300);
    expect(ended).toContainEqual(expect.objectContaining({type: 'device-code', until: 1_000_000 + DAY}));
  });
});

/** Addresses that must not be shown, opened or called. */
const unsafeAddresses = [
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'vscode://x',
  'https://idp.acme.example@evil.example/',
  'https://a:b@127.0.0.1/',
  'http://idp.acme.example/',
  '//evil.example',
  '/device',
  'nonsense',
  '',
  `https://idp.acme.example/${'x'.repeat(100_000)}`,
];

describe.each(unsafeAddresses)('an address that a provider names: %.60s', address => {
  test('is not shown as the page for a code', async () => {
    const {issuer} = await deviceServer([typed], {code: {verification_uri: address}});
    const input = {issuer, clientId: 'cli', wanted: {scopes: []}};
    const events: FlowEvent[] = [];
    const tell = (event: FlowEvent) => void events.push(event);
    const signingIn = deviceSignIn(input, {ports: await temporaryPorts(), signal: noSignal, tell});
    await expect(signingIn).rejects.toMatchObject({
      code: address === '' ? 'platform-invalid-answer' : 'auth-endpoint-foreign',
      about: {url: issuer},
    });
    expect(events.filter(({type}) => type === 'device-code')).toEqual([]);
  });

  test('is not shown as the page with the code in it', async () => {
    const {issuer} = await deviceServer([typed], {code: {verification_uri_complete: address}});
    const ports = await temporaryPorts();
    const clock = {...ports.clock, sleep: () => new Promise<void>(setImmediate)};
    const at = {issuer, clientId: 'cli', wanted: {scopes: []}, code: {waits: false, resumes: false, note: {}}};
    await collect(deviceSignIn, at, {...ports, clock}).catch(() => undefined);
    expect(pendingIn(await ports.credentials.get(pendingKey))?.complete).toBeUndefined();
  });

  test('is not opened to sign in, or to sign out', async () => {
    const issuer = await identityProvider({authorization_endpoint: address, end_session_endpoint: address});
    const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
    const client = await oauthClient({issuer, clientId: 'cli', authentication: {method: 'none'}}, run);
    const input = {issuer, clientId: 'cli', asked: {scopes: []}, redirectUri: 'http://127.0.0.1:1/cb'};
    await expect(checkAuthorization(client, input, run)).rejects.toMatchObject({code: 'auth-endpoint-foreign'});
    expect((await collect(endSession, {issuer, clientId: 'cli'}, run.ports)).result).toBeUndefined();
  });

  test.each([
    ...['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'device_authorization_endpoint'],
    ...['revocation_endpoint', 'end_session_endpoint', 'userinfo_endpoint', 'registration_endpoint'],
  ])('is no fault of this program to a diagnosis, as its %s', async name => {
    const issuer = await identityProvider({[name]: address});
    const subject = {platform: bundled, controlPlaneUrl: issuer, authUrl: issuer, issuer};
    const {failed} = await diagnosed(subject, 'http://127.0.0.1:1/cb', await temporaryPorts());
    expect(failed.map(({code}) => code)).not.toContain('bug');
    if (name === 'token_endpoint')
      expect(failed.map(({code}) => code)).toContainEqual(
        expect.stringMatching(/^platform-invalid-answer|^auth-endpoint/),
      );
  });

  test.each(['token_endpoint', 'jwks_uri', 'device_authorization_endpoint', 'revocation_endpoint'])(
    'is not called as its %s',
    async name => {
      const issuer = await identityProvider({[name]: address});
      const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
      const client = oauthClient({issuer, clientId: 'cli', authentication: {method: 'none'}}, run);
      await expect(client).rejects.toMatchObject({
        code: expect.stringMatching(/^platform-invalid-answer|^auth-endpoint/),
      });
    },
  );

  test('is no issuer, no identity provider and no place of metadata', async () => {
    if (address === 'http://idp.acme.example/') return;
    expect(() => issuerIn({issuer: address}, new URL('https://a.example'))).toThrow(/names/);
    expect(authorizationServerIn({authorization_servers: [address]})).toBeUndefined();
    const challenge = `Bearer resource_metadata="${address}"`;
    const server = await serve((_, response) =>
      response.writeHead(401, {'WWW-Authenticate': challenge.slice(0, 8_000)}).end(),
    );
    const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
    if (address.length > 8_000) return;
    expect(await challengedMetadata(new URL(server), run, {timeout: 5_000})).toBeUndefined();
  });
});
