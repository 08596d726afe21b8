import {describe, expect, test} from 'vitest';
import {deviceSignIn} from '../../../src/flows/sign-in/device-sign-in.ts';
import {deviceServer, pending, token} from '../../support/device-server.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';

const signIn = async ({issuer}: {readonly issuer: string}) => {
  const ports = await temporaryPorts();
  const input = {issuer, clientId: 'platform-cli', scopes: ['profile']};
  return {ports, ...(await collect(deviceSignIn(input, ports, noSignal)))};
};

describe('a sign-in by a code', () => {
  test('shows the address and the code, and goes on until somebody has typed it', async () => {
    const {issuer} = await deviceServer([pending, pending, token]);
    const {events, result} = await signIn({issuer});
    expect(events).toContainEqual({
      type: 'device-code',
      verificationUri: `${issuer}/device`,
      userCode: 'WDJB-MJHT',
      until: expect.any(Number),
    });
    expect(result).toMatchObject({account: 'platform-cli', renewable: true});
    expect([result.access.reveal(), result.refresh?.reveal()]).toEqual(['access-1', 'refresh-1']);
    expect(JSON.stringify(events)).not.toMatch(/access-1|refresh-1|device-canary/);
  });

  test.each([
    ['declined', 'access_denied', 'auth-declined'],
    ['too late', 'expired_token', 'auth-sign-in-timeout'],
    ['refused', 'invalid_grant', 'auth-grant-refused'],
  ])('that is %s ends', async (_name, error, code) => {
    await expect(signIn(await deviceServer([pending, {status: 400, body: {error}}]))).rejects.toMatchObject({code});
  });

  test('goes on after a gap in the network', async () => {
    const {events} = await signIn(
      await deviceServer([pending, {status: 503, body: {error: 'temporarily_unavailable'}}, token]),
    );
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('tried again')});
  });

  test('ends with its code, also where the identity provider never says so', async () => {
    await expect(signIn(await deviceServer([pending], {seconds: 0.2}))).rejects.toMatchObject({
      code: 'auth-sign-in-timeout',
      message: expect.stringContaining('has expired'),
    });
  });

  test('is not begun where it is not offered', async () => {
    await expect(signIn(await deviceServer([token], {offered: false}))).rejects.toMatchObject({
      code: 'auth-device-missing',
    });
  });

  test('ends at once when the person leaves', async () => {
    const {issuer} = await deviceServer([pending]);
    const controller = new AbortController();
    const flow = deviceSignIn(
      {issuer, clientId: 'platform-cli', scopes: []},
      await temporaryPorts(),
      controller.signal,
    );
    for (let step = await flow.next(); !step.done; step = await flow.next()) {
      if (step.value.type === 'device-code') break;
    }
    controller.abort();
    await expect(collect(flow)).rejects.toMatchObject({code: 'cancelled'});
  });
});
