import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import type {Credentials} from '../../../src/domain/credentials.ts';
import {signInState} from '../../../src/domain/sign-in-lifecycle.ts';
import {accessToken} from '../../../src/flows/sign-in/access-token.ts';
import {inspectSignIn} from '../../../src/flows/sign-in/resume-sign-in.ts';
import {contextAt} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {json, serve, text} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';
import {endedRefreshTokens, type Recorded, refusedClients} from './dialects/recorded-answers.ts';

/** Sets up a sign-in at a provider whose token endpoint answers with `answer`. A test may change it. */
const signedInAt = async (answer: Recorded, more: Partial<Credentials> = {}, how: Partial<Context> = {}) => {
  const provider = {answer, discovery: 200, asked: 0};
  const issuer: string = await serve((request, response) => {
    if (request.url !== '/token') {
      const metadata = {issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks`};
      return (provider.discovery === 200 ? json(metadata) : text('no', provider.discovery))(request, response);
    }
    provider.asked += 1;
    const {status, headers = {}, body} = provider.answer;
    response.writeHead(status, headers).end(body);
  });
  const context = {...contextAt(issuer), ...how};
  const ports = portsIn(await temporaryDirectory());
  const tokens = {accessToken: 'access-0', refreshToken: 'refresh-0', expiresAt: 1};
  const kept: Credentials = {issuer, clientId: context.clientId, ...tokens, ...more};
  await ports.credentials.update(context, async () => kept);
  return {
    ...{issuer, provider, context, ports},
    get: () => collect(accessToken, context, ports),
    inspect: async () => (await collect(inspectSignIn, context, ports)).result,
    kept: async () => (await ports.credentials.get(context)) ?? expect.fail('Nothing is kept.'),
    wait: () => ports.credentials.update(context, async now => now && {...now, retryAt: 0}),
  };
};

const good = {
  status: 200,
  headers: {'Content-Type': 'application/json'},
  body: JSON.stringify({access_token: 'access-1', token_type: 'Bearer', expires_in: 3600}),
};

describe('a renewal that is refused without saying why', () => {
  test.each([
    ['LemonLDAP::NG', endedRefreshTokens['LemonLDAP::NG'], /invalid_request/],
    ['Glewlwyd', endedRefreshTokens.Glewlwyd, /answered 400 without a reason/],
    ['Glewlwyd, where it refuses the client', refusedClients.Glewlwyd, /answered 403 to platform-cli without a reason/],
    ['one with words of its own', {...good, status: 400, body: '{"message":"Nope"}'}, /answered 400 \(Nope\)/],
  ])('means that the sign-in has probably ended: %s', async (_who, answer, said) => {
    const {get, kept, issuer, inspect} = await signedInAt(answer);
    await expect(worded(get())).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: expect.stringMatching(/^Your sign-in to acme has probably ended: /),
      remedy: expect.stringContaining('sign in'),
    });
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required', message: expect.stringMatching(said)});
    const left = await kept();
    expect(left).toMatchObject({refreshToken: 'refresh-0', refused: {isUnclear: true}});
    expect(left.refused?.reason).toMatch(said);
    expect(left.refused?.reason).toContain(issuer);
    expect(signInState(left, Date.now())).toMatchObject({state: 'ended', renewable: false, isUnclear: true});
    expect(await inspect()).toMatchObject({state: 'ended', isUnclear: true});
    expect(await inspect()).not.toHaveProperty('mayBeTried');
  });

  test('is asked for again after a pause, and forgotten once it is granted', async () => {
    const {get, kept, wait, provider} = await signedInAt(endedRefreshTokens.Glewlwyd);
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    expect(provider.asked).toBe(1);
    provider.answer = good;
    await wait();
    expect((await get()).result.accessToken).toBe('access-1');
    expect(await kept()).not.toHaveProperty('refused');
  });

  test('leaves an access token that is still good, and says when it ends', async () => {
    const expiresAt = Date.now() + 60_000;
    const refused = {at: Date.now(), reason: 'It answered 400.', isUnclear: true} as const;
    const {get, kept} = await signedInAt(endedRefreshTokens.Glewlwyd, {expiresAt, refused, retryAt: expiresAt});
    expect((await get()).result.accessToken).toBe('access-0');
    expect(signInState(await kept(), Date.now())).toMatchObject({
      ...{state: 'valid', renewable: false, isUnclear: true},
      signInEndsAt: new Date(expiresAt).toISOString(),
    });
  });

  test('keeps the secret of a service account', async () => {
    const {get, kept} = await signedInAt(
      refusedClients.Glewlwyd,
      {clientSecret: 'of the client'},
      {signIn: 'service-account'},
    );
    await expect(get()).rejects.toMatchObject({message: expect.stringMatching(/probably ended/)});
    expect(await kept()).toMatchObject({clientSecret: 'of the client', refused: {isUnclear: true}});
  });
});

test.each<[string, Recorded, string]>([
  ['a busy provider', {status: 429, body: ''}, 'platform-busy'],
  ['a provider that is down', {status: 503, body: ''}, 'platform-unhealthy'],
  [
    'a proxy that wants a sign-in',
    {status: 401, headers: {'WWW-Authenticate': 'Negotiate'}, body: ''},
    'platform-error',
  ],
  [
    'a firewall with a page',
    {status: 403, headers: {'Content-Type': 'text/html'}, body: '<html>Blocked'},
    'network-portal',
  ],
  ['a firewall with a word', {status: 403, headers: {'Content-Type': 'text/plain'}, body: 'Blocked'}, 'platform-error'],
  ['an endpoint that has moved', {status: 404, body: ''}, 'platform-no-such-endpoint'],
  [
    'a provider that says that it will be better',
    {...good, status: 400, body: '{"error":"temporarily_unavailable"}'},
    'platform-error',
  ],
])('%s has ended no sign-in', async (_who, answer, code) => {
  const {get, kept} = await signedInAt(answer);
  await expect(get()).rejects.toMatchObject({code});
  const left = await kept();
  expect(left).toMatchObject({refreshToken: 'refresh-0'});
  expect(left).not.toHaveProperty('refused');
  expect(signInState(left, Date.now())).toMatchObject({renewable: true});
});

test('metadata that cannot be had have ended no sign-in', async () => {
  const {get, kept, provider} = await signedInAt(good);
  provider.discovery = 400;
  await expect(get()).rejects.toMatchObject({code: 'platform-rejected'});
  expect(await kept()).not.toHaveProperty('refused');
});

describe('a client that was made confidential', () => {
  test.each(Object.entries(refusedClients).filter(([who]) => who !== 'Glewlwyd'))(
    'has ended its sign-ins: %s',
    async (_who, answer) => {
      const {get, kept} = await signedInAt(answer);
      await expect(get()).rejects.toMatchObject({
        code: 'auth-sign-in-required',
        message: expect.stringContaining('invalid_client'),
      });
      expect(await kept()).toMatchObject({refused: {reason: expect.stringContaining('invalid_client')}});
      expect(await kept()).not.toHaveProperty('refreshToken');
    },
  );
});
