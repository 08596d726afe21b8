import {IncomingMessage, ServerResponse} from 'node:http';
import {Socket} from 'node:net';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {slowly, slowness} from '../../../src/sandbox/fault-effects.ts';
import {faults} from '../../../src/sandbox/faults.ts';
import {startSandbox} from '../../../src/sandbox/sandbox.ts';
import {redeem, refresh, signIn} from '../identity/browser.ts';
import {bearer, claimsOf, runningSandbox, send, serviceToken} from '../support.ts';

const admin = {username: 'admin', password: 'admin'};

test.each(Object.entries(faults))('%s is described in a sentence', (_, description) => {
  expect(description).toMatch(/^[A-Z].+\.$/);
});

describe('slow-idp', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const exchange = (url: string) => {
    const request = Object.assign(new IncomingMessage(new Socket()), {method: 'GET', url});
    const response = new ServerResponse(request);
    const handler = vi.fn();
    return {handler, response, done: slowly(handler)(request, response)};
  };

  test.each(['/oauth2/token', '/oauth2/jwks', '/gate/signin?x=/health/', '/'])('answers %s late', async url => {
    vi.useFakeTimers();
    const {handler, done} = exchange(url);
    vi.advanceTimersByTime(slowness - 1);
    expect(handler).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await done;
    expect(handler).toHaveBeenCalledOnce();
  });

  test.each(['/health/liveness', '/.well-known/openid-configuration'])('answers %s at once', async url => {
    vi.useFakeTimers();
    const {handler, done} = exchange(url);
    await done;
    expect(handler).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not answer a connection that is gone', async () => {
    vi.useFakeTimers();
    const {handler, response, done} = exchange('/oauth2/token');
    response.emit('close');
    await done;
    expect(vi.getTimerCount()).toBe(0);
    expect(handler).not.toHaveBeenCalled();
  });

  test('does not keep a sandbox from closing', async () => {
    const {ready, close} = await startSandbox({
      layout: 'single',
      baseDomain: 'platform.localhost',
      port: 0,
      faults: ['slow-idp'],
    });
    expect((await send(`${ready.authUrl}/.well-known/openid-configuration`)).json.issuer).toBe(ready.authUrl);
    expect(await send(`${ready.authUrl}/health/readiness`)).toMatchObject({status: 200});
    expect(await send(`${ready.controlPlaneUrl}/health`)).toMatchObject({status: 200});
    const ended = expect(send(`${ready.authUrl}/oauth2/token`, {form: {}})).rejects.toThrow();
    await send(`${ready.authUrl}/health/liveness`);
    await close();
    await ended;
  });
});

test('lost-answer: a refresh token that rotates is spent, and nobody has what it was spent for', async () => {
  const {ready, raise, mend} = await runningSandbox({release: 'next'});
  const {json} = await redeem(ready, await signIn(ready, ready.admin));
  await raise(['lost-answer']);
  await expect(refresh(ready, json.refresh_token)).rejects.toMatchObject({code: 'ECONNRESET'});
  await mend();
  expect(await refresh(ready, json.refresh_token)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
});

describe('refresh-refused', async () => {
  const {ready} = await runningSandbox({faults: ['refresh-refused']});

  test('refuses every refresh token', async () => {
    const {json} = await redeem(ready, await signIn(ready, admin));
    for (const token of [json.refresh_token, json.refresh_token, 'unknown', '']) {
      const answer = await refresh(ready, token);
      expect(answer).toMatchObject({status: 400, headers: {'cache-control': 'no-store'}});
      expect(answer.json).toEqual({error: 'invalid_grant', error_description: 'Invalid refresh token'});
    }
  });

  test('ends the access tokens of the CLI soon, and of nobody else', async () => {
    const {json} = await redeem(ready, await signIn(ready, admin));
    expect(json.expires_in).toBe(35);
    const {exp, iat} = claimsOf(json.access_token);
    expect(exp - iat).toBe(35);
    const service = claimsOf(await serviceToken(ready));
    expect(service.exp - service.iat).toBe(3600);
  });

  test('leaves the rest as it is', async () => {
    const answer = await send(`${ready.authUrl}/oauth2/token`, {json: {grant_type: 'refresh_token'}});
    expect(answer).toMatchObject({status: 400, json: {error_description: 'Missing grant_type parameter'}});
    expect(await send(`${ready.authUrl}/oauth2/token`)).toMatchObject({status: 405});
    const token = await serviceToken(ready);
    const {headers} = await send(`${ready.authUrl}/applications`, {headers: bearer(token)});
    expect(headers['x-correlation-id']).toBeTruthy();
  });

  test('gives way to a lifetime that was asked for', async () => {
    const other = await runningSandbox({faults: ['refresh-refused'], accessTokenLifetime: 5});
    expect((await redeem(other.ready, await signIn(other.ready, admin))).json.expires_in).toBe(5);
  });
});
