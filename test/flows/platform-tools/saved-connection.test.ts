import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {cancelled, SetupError} from '../../../src/errors/errors.ts';
import {askSavedConnection, awaitNewSignIn} from '../../../src/flows/platform-tools/saved-connection.ts';
import {collect} from '../../support/flows.ts';
import {serve, serveRoutes, text} from '../../support/server.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';
import {signedIn} from '../support/signed-in.ts';

/** Sets up a saved sign-in whose tokens a sandbox has issued. */
const saved = async (changes: Partial<Context> = {}, credentials: object = {}) => {
  const {ports, context: issued, token, secret} = await signedIn();
  const context: Context = {...issued, ...changes};
  const {issuer, clientId} = context;
  const times = {obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000};
  const kept = {issuer, clientId, account: 'ann', accessToken: token, ...times, ...credentials};
  await ports.credentials.replace(context, kept);
  return {ports, context, token, secret};
};

const dead = async () => serve((_request, response) => response.destroy());

describe('a saved deployment', () => {
  test('is connected where its servers answer and accept the token, which costs no renewal', async () => {
    const {ports, context} = await saved();
    const {result, events} = await collect(askSavedConnection, {context}, ports);
    expect(result).toMatchObject({signIn: {state: 'alive', token: {account: 'ann'}}});
    expect(result.connection).toEqual({state: 'connected'});
    expect(new Set(events.map(({type}) => type))).toEqual(new Set(['call-started', 'call-answered']));
    expect(JSON.stringify(events)).not.toContain('oauth2/token');
  });

  test('is slow where a server takes long, which is named', async () => {
    const {ports, context} = await saved();
    let time = 0;
    const monotonic = () => {
      time += 2_500;
      return time;
    };
    const slow = {...ports, clock: {...ports.clock, monotonic}};
    const {connection} = (await collect(askSavedConnection, {context}, slow)).result;
    expect(connection).toMatchObject({state: 'connected', slow: {ms: expect.any(Number)}});
  });

  test('fails with the server that does not answer, and the sign-in is as it was', async () => {
    const {ports, context} = await saved({controlPlaneUrl: await dead()});
    const {signIn, connection} = (await collect(askSavedConnection, {context}, ports)).result;
    expect(signIn.state).toBe('alive');
    expect(connection).toMatchObject({
      state: 'failed',
      error: {code: expect.stringMatching(/^network-/), message: expect.stringContaining(context.controlPlaneUrl)},
    });
  });
});

describe('a person who is signed out', () => {
  test('is seen to sign in elsewhere, and nothing is sent before that', async () => {
    const {ports, context, token} = await saved(
      {},
      {accessToken: undefined, refused: {at: 1, reason: 'It was refused.'}},
    );
    const {issuer, clientId} = context;
    const slept: number[] = [];
    let sent = 0;
    const send: typeof ports.http.send = (...request) => {
      sent += 1;
      return ports.http.send(...request);
    };
    const sleep = async (ms: number) => {
      expect(sent).toBe(0);
      slept.push(ms);
      if (slept.length < 3) return;
      await ports.credentials.replace(context, {
        issuer,
        clientId,
        accessToken: token,
        expiresAt: Date.now() + 3_600_000,
      });
    };
    const watched = {...ports, http: {...ports.http, send}, clock: {...ports.clock, sleep}};
    const {result} = await collect(awaitNewSignIn, context, watched);
    expect(result).toMatchObject({signIn: {state: 'alive'}, connection: {state: 'connected'}});
    expect(slept).toEqual([5_000, 5_000, 5_000]);
  });

  test('waits on where the credentials cannot be read, until the person leaves', async () => {
    const {ports, context} = await saved();
    const leaving = new AbortController();
    let looks = 0;
    const get = async () => {
      looks += 1;
      if (looks > 3) leaving.abort(cancelled());
      throw new SetupError('local-credentials-invalid', 'They cannot be read.');
    };
    const sleep = async (_ms: number, signal: AbortSignal) => signal.throwIfAborted();
    const blind = {...ports, credentials: {...ports.credentials, get}, clock: {...ports.clock, sleep}};
    await expect(collect(awaitNewSignIn, context, blind as typeof ports, leaving.signal)).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

describe('a token that is refused although it has not expired', () => {
  const refusing = async () =>
    serveRoutes({
      '/health': text('OK'),
      '/mcp': (_request, response) => {
        response.writeHead(401, {'www-authenticate': 'Bearer error="invalid_token"'}).end();
      },
    });

  test('is renewed, and the connection is as good as before', async () => {
    const {ports, context, secret, token} = await saved();
    const kept = await ports.credentials.get(context);
    const {issuer, clientId} = context;
    // Signed with a key that the platform no longer has.
    const accessToken = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(342)}`;
    await ports.credentials.replace(context, {...kept, issuer, clientId, accessToken, clientSecret: secret});
    const {result, events} = await collect(askSavedConnection, {context}, ports);
    expect(result.connection).toEqual({state: 'connected'});
    expect(JSON.stringify(events)).toContain('/oauth2/token');
    expect((await ports.credentials.get(context))?.accessToken).not.toBe(accessToken);
  });

  test('has ended the sign-in where the identity provider refuses to renew it too', async () => {
    const {issuer} = await tokenServer(() => ({status: 400, body: {error: 'invalid_grant'}}));
    const controlPlaneUrl = await refusing();
    const {ports, context} = await saved({issuer, controlPlaneUrl, signIn: 'browser'}, {refreshToken: 'refresh-0'});
    const {result} = await collect(askSavedConnection, {context}, ports);
    expect(result).toEqual({
      signIn: {
        state: 'ended',
        message: expect.stringContaining('You are signed out of acme'),
        reason: expect.stringContaining('refused to renew the sign-in'),
      },
    });
  });

  test('has ended the sign-in where nothing can renew it', async () => {
    const {ports, context} = await saved({controlPlaneUrl: await refusing(), signIn: 'browser'});
    expect((await collect(askSavedConnection, {context}, ports)).result.signIn).toMatchObject({
      state: 'ended',
      reason: 'The sign-in cannot be renewed: the identity provider issued no refresh token.',
    });
  });

  test('is the failure where a renewed one is refused as well', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const controlPlaneUrl = await refusing();
    const {ports, context} = await saved({issuer, controlPlaneUrl, signIn: 'browser'}, {refreshToken: 'refresh-0'});
    const {signIn, connection} = (await collect(askSavedConnection, {context}, ports)).result;
    expect(signIn.state).toBe('alive');
    expect(connection).toMatchObject({state: 'failed', error: {code: 'auth-token-opaque'}});
    expect(asked).toHaveLength(1);
  });

  test('ends nothing while the identity provider is away', async () => {
    const controlPlaneUrl = await refusing();
    const {ports, context} = await saved(
      {issuer: await dead(), controlPlaneUrl, signIn: 'browser'},
      {refreshToken: 'refresh-0'},
    );
    const {signIn, connection} = (await collect(askSavedConnection, {context}, ports)).result;
    expect([signIn.state, connection?.state]).toEqual(['alive', 'failed']);
    expect(await ports.credentials.get(context)).toMatchObject({refreshToken: 'refresh-0'});
  });
});
