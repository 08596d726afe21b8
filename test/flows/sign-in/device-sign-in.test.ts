import {createHash} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {type PendingCode, pendingIn, pendingKey} from '../../../src/domain/credentials.ts';
import {deviceSignIn} from '../../../src/flows/sign-in/device-sign-in.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {deviceServer, pending, token} from '../../support/device-server.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {worded} from '../../support/worded.ts';

const signIn = async ({issuer}: {readonly issuer: string}) => {
  const ports = inAHurry(await temporaryPorts());
  const input = {issuer, clientId: 'platform-cli', wanted: {scopes: ['profile']}};
  return {ports, ...(await collect(deviceSignIn, input, ports))};
};

/** A clock that waits a hundredth of each pause: no provider is asked more than once a second. */
function inAHurry(ports: Ports): Ports {
  return {...ports, clock: {...ports.clock, sleep: (ms, signal) => ports.clock.sleep(ms / 100, signal)}};
}

describe('a sign-in with a code', () => {
  test('shows the address and the code, and goes on until somebody has typed it', async () => {
    const {issuer} = await deviceServer([pending, pending, token]);
    const {events, result} = await signIn({issuer});
    expect(events).toContainEqual({
      type: 'device-code',
      verificationUri: `${issuer}/device`,
      userCode: 'WDJB-MJHT',
      until: expect.any(Number),
    });
    const {token: got} = result;
    expect(got).toMatchObject({account: 'platform-cli', renewable: true});
    expect([got.access.reveal(), got.refresh?.reveal()]).toEqual(['access-1', 'refresh-1']);
    expect(JSON.stringify(events)).not.toMatch(/access-1|refresh-1|device-canary/);
  });

  test.each([
    ['declined', 'access_denied', 'auth-declined'],
    ['too late', 'expired_token', 'auth-sign-in-timeout'],
    ['refused', 'invalid_grant', 'auth-grant-refused'],
  ])('that is %s ends', async (_name, error, code) => {
    const server = await deviceServer([pending, {status: 400, body: {error}}]);
    await expect(signIn(server)).rejects.toMatchObject({code, about: {url: server.issuer}});
  });

  test('goes on after a gap in the network', async () => {
    const {events} = await signIn(
      await deviceServer([pending, {status: 503, body: {error: 'temporarily_unavailable'}}, token]),
    );
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('Trying again')});
  });

  test('ends with its code, also where the identity provider never says so', async () => {
    await expect(signIn(await deviceServer([pending], {seconds: 0.2}))).rejects.toMatchObject({
      code: 'auth-sign-in-timeout',
      message: expect.stringContaining('has expired'),
    });
  });

  /** Signs in on a clock on which short waits end at once and long ones never. Returns the length of each wait. */
  const waiting = async (...server: Parameters<typeof deviceServer>) => {
    const {issuer} = await deviceServer(...server);
    const ports = await temporaryPorts();
    const waits: number[] = [];
    const signals: (AbortSignal | undefined)[] = [];
    const sleep: Ports['clock']['sleep'] = async (ms, signal) => {
      waits.push(ms);
      signals.push(signal);
      if (ms > 30_000) await new Promise(() => {});
    };
    const input = {issuer, clientId: 'platform-cli', wanted: {scopes: ['profile']}, server: 'observability'} as const;
    const now = () => 1_000_000;
    return {waits, signals, ...(await collect(deviceSignIn, input, {...ports, clock: {...ports.clock, now, sleep}}))};
  };
  const unwell = {status: 503, body: {error: 'temporarily_unavailable'}};

  test('waits longer after each gap, and for nothing any more when it is over', async () => {
    const {waits, signals, events} = await waiting([unwell, unwell, token]);
    expect(waits).toEqual([1_000, 60_000, 2_000, 4_000]);
    expect(signals.every(signal => signal?.aborted)).toBe(true);
    expect(events).toContainEqual(expect.objectContaining({type: 'device-code', until: 1_060_000}));
    expect(events).toContainEqual(expect.objectContaining({type: 'token-obtained', server: 'observability'}));
  });

  test('waits for a day at the longest, whatever the identity provider says', async () => {
    const {waits} = await waiting([token], {seconds: 1e9});
    expect(waits).toEqual([1_000, 86_400_000]);
  });

  test('is not begun where it is not offered', async () => {
    await expect(signIn(await deviceServer([token], {offered: false}))).rejects.toMatchObject({
      code: 'auth-device-missing',
      about: {flag: 'device'},
    });
  });

  test('ends at once when the person leaves', async () => {
    const {issuer} = await deviceServer([pending]);
    const controller = new AbortController();
    const input = {issuer, clientId: 'platform-cli', wanted: {scopes: []}};
    const signingIn = collect(deviceSignIn, input, await temporaryPorts(), controller.signal, event => {
      if (event.type === 'device-code') controller.abort();
    });
    await expect(signingIn).rejects.toMatchObject({code: 'cancelled'});
  });
});

describe('a sign-in by a code in two runs', () => {
  const runs = async (...polls: Parameters<typeof deviceServer>[0]) => {
    const {issuer, forms} = await deviceServer(polls);
    const ports = inAHurry(await temporaryPorts());
    const input = {issuer, clientId: 'platform-cli', wanted: {scopes: ['profile']}};
    const kept = async () => pendingIn(await ports.credentials.get(pendingKey));
    const begin = () =>
      collect(deviceSignIn, {...input, code: {waits: false, resumes: false, note: {platform: 'x'}}}, ports);
    const goOn = async (waits: boolean, later: Partial<PendingCode> = {}) => {
      const begun = await kept();
      const code = {waits, resumes: true, note: {}};
      return collect(deviceSignIn, {...input, code, begun: begun && {...begun, ...later}}, ports);
    };
    return {begin, goOn, kept, forms};
  };

  test('ends with the code kept, asks once, and goes on with it', async () => {
    const {begin, goOn, kept, forms} = await runs(pending, token);
    await expect(begin()).rejects.toMatchObject({code: 'auth-sign-in-pending'});
    expect(forms.token).toHaveLength(0);
    expect(await kept()).toMatchObject({userCode: 'WDJB-MJHT', note: {platform: 'x'}});
    await expect(goOn(false)).rejects.toMatchObject({code: 'auth-sign-in-pending'});
    expect(forms.token).toHaveLength(1);
    const {result} = await goOn(false);
    expect(result.token.access.reveal()).toBe('access-1');
    expect(await kept()).toBeUndefined();
    const [asked] = forms.authorization;
    expect(forms.authorization).toHaveLength(1);
    const challenge = createHash('sha256')
      .update(forms.token.at(-1)?.get('code_verifier') ?? '')
      .digest('base64url');
    expect(asked?.get('code_challenge')).toBe(challenge);
  });

  test('waits for the rest of the time where it may', async () => {
    const {begin, goOn, kept} = await runs(pending, pending, token);
    await expect(begin()).rejects.toMatchObject({code: 'auth-sign-in-pending'});
    expect((await goOn(true)).result.token.access.reveal()).toBe('access-1');
    expect(await kept()).toBeUndefined();
  });

  test.each([
    ['has expired', {until: 1}, pending, 'auth-sign-in-timeout'],
    ['is declined', {}, {status: 400, body: {error: 'access_denied'}}, 'auth-declined'],
  ] as const)('a code that %s is forgotten', async (_what, later, poll, code) => {
    const {begin, goOn, kept} = await runs(poll);
    await expect(begin()).rejects.toMatchObject({code: 'auth-sign-in-pending'});
    await expect(goOn(false, later)).rejects.toMatchObject({code});
    expect(await kept()).toBeUndefined();
  });

  test('a gap in the network takes nothing away', async () => {
    const {begin, goOn, kept} = await runs({status: 503, body: {}});
    await expect(begin()).rejects.toMatchObject({code: 'auth-sign-in-pending'});
    await expect(goOn(false)).rejects.toMatchObject({code: 'platform-unhealthy'});
    expect(await kept()).toBeDefined();
  });
});

describe('an address with the code in it', () => {
  test.each([
    ['https://idp.example/device?user_code=WDJB-MJHT', true],
    ['http://127.0.0.1:1/device?user_code=WDJB-MJHT', true],
    ['javascript:alert(1)', false],
    ['httpsx://idp.example', false],
    ['nowhere', false],
  ])('is shown where a browser may be sent there: %s', async (complete, isShown) => {
    const {events} = await signIn(await deviceServer([token], {code: {verification_uri_complete: complete}}));
    const [shown] = events.filter(({type}) => type === 'device-code');
    expect(shown && 'complete' in shown ? shown.complete : undefined).toBe(isShown ? complete : undefined);
  });
});

test('the code is had with PKCE, which some clients demand', async () => {
  const server = await deviceServer([token]);
  await signIn(server);
  const challenge = server.forms.authorization[0]?.get('code_challenge');
  const verifier = server.forms.token[0]?.get('code_verifier') ?? '';
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge);
});

test('a client that may not is said to be one, with what to change', async () => {
  const {issuer} = await deviceServer([{status: 400, body: {error: 'unauthorized_client'}}]);
  await expect(worded(signIn({issuer}))).rejects.toMatchObject({
    code: 'auth-device-missing',
    remedy: expect.stringContaining('Allow the device authorization grant for platform-cli'),
  });
});
