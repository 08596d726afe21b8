import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {signInState} from '../../../src/domain/sign-in-lifecycle.ts';
import {saveSignIn} from '../../../src/flows/sign-in/save-sign-in.ts';
import {untilSignInEnds} from '../../../src/flows/sign-in/sign-in-end.ts';
import {signInPerson} from '../../../src/flows/sign-in/sign-in-person.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import type {SandboxOptions} from '../../../src/sandbox/sandbox.ts';
import {keepingUp} from '../../../src/state/steps/assistants/assistant-rows.ts';
import {callbackForTest} from '../../e2e/support/ports.ts';
import {navigate, signInAt} from '../../support/browser.ts';
import {contextAt} from '../../support/context.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {runningPlatform} from '../../support/platform.ts';
import {revokes} from '../../support/release.ts';
import {json, serve} from '../../support/server.ts';

const HOUR = 3_600_000;

/** Signs a person in and saves the sign-in, as `setup login` does. */
const begin = async (options: Partial<SandboxOptions>) => {
  const redirectUri = await callbackForTest();
  const {ready} = await runningPlatform('single', {redirectUri, ...options});
  const ports = await temporaryPorts();
  const issuer = ready.authUrl;
  const context: Context = {...contextAt(issuer), controlPlaneUrl: ready.controlPlaneUrl};
  const input = {platform: bundled, controlPlaneUrl: ready.controlPlaneUrl, issuer, redirectUri};
  const login = async () => {
    const way = {by: 'browser', open: false} as const;
    const {result} = await collect(signInPerson, {...input, ...way}, ports, noSignal, event => {
      if (event.type === 'sign-in-waiting') void signInAt(event.url).then(navigate);
    });
    return result.token;
  };
  const save = async () => {
    const token = await login();
    const {events} = await collect(saveSignIn, {context, token}, ports);
    return {token, revoked: events.filter(({type}) => type === 'token-revoked')};
  };
  return {context, ports, issuer, save};
};

const refresh = async (issuer: string, ports: Ports, refreshToken: string) => {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: 'platform-cli',
  });
  const reply = await ports.http.send(
    {
      method: 'POST',
      url: new URL(`${issuer}/oauth2/token`),
      headers: {'Content-Type': 'application/x-www-form-urlencoded'},
      body: body.toString(),
    },
    {signal: noSignal, report: () => {}},
  );
  return reply.status;
};

describe('the end of a sign-in', () => {
  test.each([
    ['is said', HOUR, ' until the sign-in ends, in 1 h'],
    ['is not said once it is over', 0, ''],
    ['is not said long after it', -HOUR, ''],
  ])('%s', (_what, left, words) => {
    const now = 1_800_000_000_000;
    expect(untilSignInEnds({signInEndsAt: new Date(now + left).toISOString()}, now)).toBe(words);
  });

  test('is not said where nobody knows of one', () => {
    expect(untilSignInEnds({}, 0)).toBe('');
  });

  test('is read from the refresh token, which lives for a day at the platform’s identity provider', async () => {
    const {save, ports, context} = await begin({});
    const {token} = await save();
    const now = Date.now();
    expect(Math.abs((token.signInEndsAt ?? 0) - now - 24 * HOUR)).toBeLessThan(60_000);
    const standing = signInState(await ports.credentials.get(context), now);
    expect(untilSignInEnds(standing, now)).toBe(' until the sign-in ends, in 24 h');
  });

  test('decides what is promised of the assistants', () => {
    const facts = {account: 'ann', fingerprint: 'f', expiresAt: HOUR, access: new Secret('a')};
    const words = (token: object, method: 'auto' | 'header' = 'auto') =>
      keepingUp({facts: {token: {...facts, renewable: true, ...token}}}, method, 0);
    expect(words({})).toBe('renewed automatically');
    expect(words({signInEndsAt: 24 * HOUR})).toBe('renewed automatically; sign in again in 24 h');
    expect(words({renewable: false})).toBe('not renewed; expires in 1 h');
    expect(words({}, 'header')).toBe('a token in the file; expires in 1 h');
  });

  test('is said by a sign-out where it cannot be revoked', async () => {
    const {save, ports, context} = await begin({});
    await save();
    const place = {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}} as const;
    const {result} = await collect(signOut, {context, assistants: [], place}, ports);
    expect(result.revocation).toBe(revokes ? 'revoked' : 'not-offered');
    if (!revokes) expect(Math.abs((result.goodUntil ?? 0) - Date.now() - 24 * HOUR)).toBeLessThan(60_000);
  });
});

describe('signing in again', () => {
  test('ends the sign-in before it, and not the new one', async () => {
    const {save, ports, context, issuer} = await begin({release: 'next'});
    await save();
    const first = (await ports.credentials.get(context))?.refreshToken ?? '';
    expect((await save()).revoked).toMatchObject([{outcome: 'revoked'}]);
    const second = (await ports.credentials.get(context))?.refreshToken ?? '';
    expect(second).not.toBe(first);
    expect(await refresh(issuer, ports, first)).toBe(400);
    expect(await refresh(issuer, ports, second)).toBe(200);
  });

  test('revokes only where that is possible', async () => {
    const {save} = await begin({});
    await save();
    expect((await save()).revoked).toEqual(revokes ? [expect.objectContaining({outcome: 'revoked'})] : []);
  });

  test('leaves alone what another identity provider may hold together', async () => {
    const posts: string[] = [];
    const issuer: string = await serve((request, response) => {
      if (request.method === 'POST') posts.push(request.url ?? '');
      json({issuer, token_endpoint: `${issuer}/token`, revocation_endpoint: `${issuer}/revoke`})(request, response);
    });
    const ports = await temporaryPorts();
    const context = contextAt(issuer);
    const {clientId} = context;
    await ports.credentials.replace(context, {issuer, clientId, refreshToken: 'former'});
    const [access, refresh] = [new Secret('a'), new Secret('new')];
    const token = {account: 'ann', fingerprint: 'f', renewable: true, access, refresh};
    await collect(saveSignIn, {context, token}, ports);
    expect(posts).toEqual([]);
  });
});
