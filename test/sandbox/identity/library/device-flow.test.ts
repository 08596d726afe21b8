import {afterEach, describe, expect, test, vi} from 'vitest';
import {basic, bearer, claimsOf, clientOf, runningSandbox, send} from '../../support.ts';
import {cli, createBrowser, refresh} from '../browser.ts';
import {beginDevice, confirmation, decide, deviceCodeGrant, poll} from '../device.ts';

const {ready} = await runningSandbox({extras: ['device'], resources: 'each'});
const admin = {username: 'admin', password: 'admin'};
const pageUrl = `${ready.authUrl}/device`;

/** Returns the hidden fields in the form of a page. */
const hiddenOf = ({text}: {text: string}) =>
  Object.fromEntries([...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, ...pair]) => pair));

afterEach(() => {
  vi.useRealTimers();
});

test('discovery tells of it', async () => {
  for (const document of ['openid-configuration', 'oauth-authorization-server']) {
    const {json} = await send(`${ready.authUrl}/.well-known/${document}`);
    expect(json.device_authorization_endpoint).toBe(`${ready.authUrl}/oauth2/device_authorization`);
    expect(json.grant_types_supported).toContain(deviceCodeGrant);
  }
});

test('a device gets a code for itself and one for the person', async () => {
  const answer = await beginDevice(ready);
  expect(answer).toMatchObject({status: 200, headers: {'cache-control': 'no-store'}});
  expect(answer.json).toEqual({
    device_code: expect.any(String),
    user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verification_uri: pageUrl,
    verification_uri_complete: `${pageUrl}?user_code=${answer.json.user_code}`,
    expires_in: 600,
  });
});

test.each([
  ['an unknown client', {client_id: 'nobody'}, 401, 'invalid_client'],
  ['no client', {client_id: ''}, 401, 'invalid_client'],
  ['a client without the grant', {client_id: 'sample_app_client'}, 401, 'unauthorized_client'],
  ['a secret', {client_secret: 'x'}, 401, 'unauthorized_client'],
  ['a foreign resource', {resource: 'https://elsewhere.example'}, 400, 'invalid_target'],
])('%s gets no code', async (_, form, status, error) => {
  const answer = await beginDevice(ready, form);
  expect(answer).toMatchObject({status, json: {error, error_description: expect.any(String)}});
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
});

test('no other client has the grant', async () => {
  const {clientId, clientSecret} = clientOf(ready, 'sandbox_mcp_client');
  const headers = {authorization: basic(clientId, clientSecret)};
  const form = {grant_type: deviceCodeGrant, device_code: 'x'};
  expect(await send(`${ready.authUrl}/oauth2/token`, {headers, form})).toMatchObject({
    status: 401,
    json: {error: 'unauthorized_client', error_description: 'The client is not authorized to use this grant type'},
  });
});

describe('a person who types in the code', () => {
  test('and signs in gives the device the tokens of a browser login', async () => {
    const {json} = await beginDevice(ready);
    expect(await poll(ready, json.device_code)).toMatchObject({status: 400, json: {error: 'authorization_pending'}});

    const typed = json.user_code.toLowerCase().replace('-', ' ');
    const {page} = await decide(ready, {confirm: 'yes'}, admin, typed);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>You’re signed in</h1>');
    expect(page.text).toContain('Close this page and return to your terminal.');

    const answer = await poll(ready, json.device_code);
    expect(answer.headers).toMatchObject({'cache-control': 'no-store', pragma: 'no-cache'});
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid profile email',
      refresh_token: expect.any(String),
      id_token: expect.any(String),
    });
    const claims = claimsOf(answer.json.access_token);
    expect(claims).toMatchObject({
      iss: ready.authUrl,
      aud: cli.client_id,
      client_id: cli.client_id,
      username: 'admin',
      groups: ['platform-engineers'],
    });
    const userinfo = await send(`${ready.authUrl}/oauth2/userinfo`, {headers: bearer(answer.json.access_token)});
    expect(userinfo.json).toMatchObject({sub: claims.sub, username: 'admin'});

    const refreshed = await refresh(ready, answer.json.refresh_token);
    expect(claimsOf(refreshed.json.access_token)).toMatchObject({aud: cli.client_id, sub: claims.sub});
  });

  test('sees it first, with who asks, and may decline', async () => {
    const {page: asked, url, deviceCode} = await confirmation(ready, createBrowser());
    expect(asked.text).toMatch(/<code>[A-Z]{4}-[A-Z]{4}<\/code>/);
    expect(asked.text).toContain('cli wants to sign in as you.');
    expect(asked.headers['content-security-policy']).toContain("form-action 'self';");
    expect(url).toBe(pageUrl);
    expect(await poll(ready, deviceCode)).toMatchObject({json: {error: 'authorization_pending'}});

    const declined = await decide(ready, {abort: 'yes'});
    expect(declined.page.text).toContain('<h1>Sign-in declined</h1>');
    expect(await poll(ready, declined.deviceCode)).toMatchObject({status: 400, json: {error: 'access_denied'}});
  });

  test('finds it filled in when the address has it, and no script', async () => {
    const {json} = await beginDevice(ready);
    const browser = createBrowser();
    const page = await browser.visit(json.verification_uri_complete);
    expect(page.text).toContain(`value="${json.user_code}"`);
    expect(page.text).not.toContain('<script');
    const asked = await browser.submit(page, pageUrl, {user_code: json.user_code});
    expect(asked.text).toContain(`<code>${json.user_code}</code>`);
    const odd = await send(`${pageUrl}?user_code=${encodeURIComponent('"><b>')}`);
    expect(odd.text).toContain('value="&quot;&gt;&lt;b&gt;"');
  });

  test('is asked for a password each time, in the same browser too', async () => {
    const browser = createBrowser();
    for (const username of ['admin', 'developer']) {
      const {page, url, deviceCode} = await confirmation(ready, browser);
      const gate = (await browser.submit(page, url, {confirm: 'yes'})).headers.location ?? '';
      expect(gate).toContain(`${ready.authUrl}/gate/signin?`);
      const submitted = await browser.submit(await browser.visit(gate), gate, {username, password: username});
      await browser.visit(submitted.headers.location ?? '');
      expect(claimsOf((await poll(ready, deviceCode)).json.access_token).username).toBe(username);
    }
  });

  test('is told what is wrong with it', async () => {
    const tell = async (user_code: string) => (await confirmation(ready, createBrowser(), user_code)).page;
    const unknown = await tell('<b>BBBB');
    expect(unknown).toMatchObject({status: 200, text: expect.stringContaining('This code is wrong.')});
    expect(unknown.text).toContain('value="&lt;b&gt;BBBB"');
    expect((await tell(' ')).text).toContain('role="alert"');

    const {json} = await beginDevice(ready);
    await decide(ready, {confirm: 'yes'}, admin, json.user_code);
    expect((await tell(json.user_code)).text).toContain('This code was already used.');

    const late = (await beginDevice(ready)).json;
    vi.useFakeTimers({toFake: ['Date'], now: Date.now() + 601_000});
    expect((await tell(late.user_code)).text).toContain('This code has expired.');
    expect(await poll(ready, late.device_code)).toMatchObject({status: 400, json: {error: 'expired_token'}});
  });

  test('must have opened the page in this browser', async () => {
    const {json} = await beginDevice(ready);
    const {page, url} = await confirmation(ready, createBrowser(), json.user_code);
    for (const cookie of ['', '_session=x', '_session=x; _session.sig=y']) {
      const {host, origin} = new URL(url);
      const form = {...hiddenOf(page), confirm: 'yes'};
      const answer = await send(url, {form, headers: {host, origin, cookie}});
      expect(answer).toMatchObject({status: 400, text: expect.stringContaining('<h1>Start again</h1>')});
    }
    expect(await send(`${pageUrl}/x`)).toMatchObject({status: 400, text: expect.stringContaining('Start again')});
    expect(await poll(ready, json.device_code)).toMatchObject({json: {error: 'authorization_pending'}});
  });

  test('can try again with a form that was overtaken by another', async () => {
    const {json} = await beginDevice(ready);
    const browser = createBrowser();
    const {page, url} = await confirmation(ready, browser, json.user_code);
    const stale = {...page, text: page.text.replace(/name="xsrf" value="/, '$&x')};
    const answer = await browser.submit(stale, url, {confirm: 'yes'});
    expect(answer).toMatchObject({status: 400, text: expect.stringContaining('This page was open for too long')});
    const again = await browser.submit(answer, url, {user_code: json.user_code});
    expect(again.text).toContain(`<code>${json.user_code}</code>`);
  });
});

test('a code that ends while the person signs in is not good any more', async () => {
  const browser = createBrowser();
  const {page, url, deviceCode} = await confirmation(ready, browser);
  const gate = (await browser.submit(page, url, {confirm: 'yes'})).headers.location ?? '';
  vi.useFakeTimers({toFake: ['Date'], now: Date.now() + 601_000});
  const submitted = await browser.submit(await browser.visit(gate), gate, admin);
  const last = await browser.visit(submitted.headers.location ?? '');
  expect(last).toMatchObject({status: 200, text: expect.stringContaining('This code has expired.')});
  expect(await poll(ready, deviceCode)).toMatchObject({status: 400, json: {error: 'expired_token'}});
});

test('a device code is good once, for its client', async () => {
  const {deviceCode} = await decide(ready, {confirm: 'yes'}, admin);
  expect(await poll(ready, deviceCode, {client_id: 'sample_app_client'})).toMatchObject({status: 401});
  const {json} = await poll(ready, deviceCode);
  expect(await poll(ready, deviceCode)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
  expect(await refresh(ready, json.refresh_token)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
  expect(await poll(ready, 'unknown')).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
  expect(await poll(ready, '')).toMatchObject({status: 400, json: {error: 'invalid_request'}});
});
