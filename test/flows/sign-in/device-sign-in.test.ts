import {describe, expect, test} from 'vitest';
import {deviceSignIn} from '../../../src/flows/sign-in/device-sign-in.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';

type Poll = {readonly status?: number; readonly body: object};

/** An identity provider with a device flow, whose token endpoint answers one poll after the other. */
const provider = async (polls: readonly Poll[], {offered = true, seconds = 60} = {}) => {
  let asked = 0;
  const issuer: string = await serve((request, response) => {
    const answer = (body: object, status = 200) => json(body, status)(request, response);
    if (request.url === '/oauth2/device_authorization') {
      return answer({
        device_code: 'device-canary',
        user_code: 'WDJB-MJHT',
        verification_uri: `${issuer}/device`,
        expires_in: seconds,
        interval: 0.01,
      });
    }
    if (request.url === '/oauth2/token') {
      const poll = polls[Math.min(asked, polls.length - 1)];
      asked += 1;
      return answer(poll?.body ?? {}, poll?.status);
    }
    const device = offered ? {device_authorization_endpoint: `${issuer}/oauth2/device_authorization`} : {};
    return answer({issuer, token_endpoint: `${issuer}/oauth2/token`, jwks_uri: `${issuer}/jwks`, ...device});
  });
  return issuer;
};

const signIn = async (issuer: string) => {
  const ports = await temporaryPorts();
  const input = {issuer, clientId: 'platform-cli', scopes: ['profile']};
  return {ports, ...(await collect(deviceSignIn(input, ports, noSignal)))};
};

const pending: Poll = {status: 400, body: {error: 'authorization_pending'}};
const token: Poll = {
  body: {access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 3600},
};

describe('a sign-in by a code', () => {
  test('shows the address and the code, and goes on until somebody has typed it', async () => {
    const issuer = await provider([pending, pending, token]);
    const {events, result} = await signIn(issuer);
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
    await expect(signIn(await provider([pending, {status: 400, body: {error}}]))).rejects.toMatchObject({code});
  });

  test('goes on after a gap in the network', async () => {
    const {events} = await signIn(
      await provider([pending, {status: 503, body: {error: 'temporarily_unavailable'}}, token]),
    );
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('tried again')});
  });

  test('ends with its code, also where the identity provider never says so', async () => {
    await expect(signIn(await provider([pending], {seconds: 0.2}))).rejects.toMatchObject({
      code: 'auth-sign-in-timeout',
      message: expect.stringContaining('has expired'),
    });
  });

  test('is not begun where it is not offered', async () => {
    await expect(signIn(await provider([token], {offered: false}))).rejects.toMatchObject({
      code: 'auth-device-missing',
    });
  });

  test('ends at once when the person leaves', async () => {
    const issuer = await provider([pending]);
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
