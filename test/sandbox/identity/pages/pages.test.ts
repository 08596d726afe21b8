import {describe, expect, test} from 'vitest';
import {adminToken, applicationOf, bearer, pkce, runningSandbox, send} from '../../support.ts';
import {authorizationUrl, cli, createBrowser} from '../browser.ts';
import {confirmation, decide} from '../device.ts';

const {ready} = await runningSandbox({extras: ['device']});
const {challenge} = pkce();
const portalUrl = `${ready.authUrl}/develop`;

const gatePage = async () => {
  const start = await send(authorizationUrl(ready, {...cli, code_challenge: challenge}));
  return send(start.headers.location ?? '');
};

const pages = [
  ['sign-in', gatePage],
  ['error', () => send(`${ready.authUrl}/gate/error?errorCode=a&errorMessage=b`)],
  ['expired', () => send(`${ready.authUrl}/gate/signin?flowId=x`)],
  ['portal', () => send(portalUrl)],
  ['device', () => send(`${ready.authUrl}/device`)],
  ['device confirmation', async () => (await confirmation(ready, createBrowser())).page],
  ['device declined', async () => (await decide(ready, {abort: 'yes'})).page],
  ['device done', async () => (await decide(ready, {confirm: 'yes'}, ready.admin)).page],
] as const;

describe.each(pages)('the %s page', (_, load) => {
  test('is private, never framed, and runs nothing', async () => {
    const {headers, text} = await load();
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'sha256-");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(text).not.toMatch(/<script|<link rel="stylesheet"|src=|https?:\/\//);
  });

  test('can be read by everybody', async () => {
    const {text} = await load();
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text).toMatch(/<title>[^<]+<\/title>/);
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(text).toContain('color-scheme: light dark');
    expect(text.match(/<h1>/g)).toHaveLength(1);
    for (const [, id] of text.matchAll(/<input id="(\w+)"/g)) expect(text).toContain(`<label for="${id}">`);
  });
});

test('what the query says is shown as text', async () => {
  const query = new URLSearchParams({errorCode: '"><b>', errorMessage: '<img src=x onerror=alert(1)>'});
  const {text} = await send(`${ready.authUrl}/gate/error?${query}`);
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(text).not.toContain('<b>');
});

test('the form may lead to the client that asked, and to no other', async () => {
  const policy = String((await gatePage()).headers['content-security-policy']);
  expect(/form-action ([^;]+)/.exec(policy)?.[1]).toBe("'self' http://127.0.0.1:55152");
});

describe('the developer portal', () => {
  test('shows a signed-in administrator every application by its ID', async () => {
    const create = applicationOf('<i>Odd</i>', 'odd');
    const headers = bearer(await adminToken(ready));
    const created = await send(`${ready.authUrl}/applications`, {headers, json: create});
    const browser = createBrowser();
    const form = await browser.visit(portalUrl);
    expect(form.text).not.toContain(ready.applicationId);

    const submitted = await browser.submit(form, portalUrl, ready.admin);
    expect(submitted).toMatchObject({status: 303, headers: {location: '/develop'}});
    expect(submitted.headers['set-cookie']?.[0]).toMatch(/; Path=\/develop; Max-Age=3600; HttpOnly; SameSite=Strict$/);

    const page = await browser.visit(portalUrl);
    expect(page.text).toContain(`<code>${ready.applicationId}</code>`);
    expect(page.text).toContain(`<code>${created.json.id}</code>`);
    expect(page.text).toContain('<th scope="row">&lt;i&gt;Odd&lt;/i&gt;</th>');

    const signedOut = await browser.submit(page, portalUrl, {});
    expect(signedOut.status).toBe(303);
    expect((await browser.visit(portalUrl)).text).not.toContain(ready.applicationId);
  });

  test.each([
    ['a wrong password', {username: 'admin', password: 'x'}, 'Wrong username or password.'],
    ['an unknown user', {username: 'nobody', password: 'x'}, 'Wrong username or password.'],
    ['somebody without permission', {username: 'developer', password: 'developer'}, 'may not administer'],
    ['nothing', {}, 'Wrong username or password.'],
  ])('lets nobody in with %s', async (_, form, message) => {
    const answer = await send(`${portalUrl}/signin`, {form});
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.text).toContain('<p role="alert" id="error">');
    expect(answer.text).toContain(message);
    expect(answer.text).toContain('aria-describedby="error"');
  });

  test('does not take a session that it did not begin', async () => {
    const answer = await send(portalUrl, {headers: {cookie: 'develop_session=; develop_session=x'}});
    expect(answer.text).not.toContain(ready.applicationId);
  });
});
