import {expect, test} from 'vitest';
import {withoutEcho} from '../../../src/flows/sign-in/oauth-fetch.ts';

const refusing = (text: string, status = 400) => new Response(text, {status, headers: {'x-kept': 'yes'}});
const basic = `Basic ${Buffer.from('ci:s3cret%2Fvalue').toString('base64')}`;

test.each([
  ['client_secret', 'the-secret-value'],
  ['refresh_token', 'the-refresh-token'],
  ['code', 'the-code-of-now'],
  ['code_verifier', 'the-verifier'],
  ['device_code', 'the-device-code'],
])('a refusal does not repeat the %s', async (name, secret) => {
  const body = new URLSearchParams({grant_type: 'x', [name]: secret});
  const clean = await withoutEcho(refusing(`No: ${secret}, and ${secret}.`), {body});
  expect(await clean.text()).toBe('No: <secret>, and <secret>.');
  expect([clean.status, clean.headers.get('x-kept')]).toEqual([400, 'yes']);
  expect(await (await withoutEcho(refusing(secret), {body: String(body)})).text()).toBe('<secret>');
});

test('nor what stands in the header, in any spelling', async () => {
  const said = `${basic} s3cret%2Fvalue s3cret/value`;
  const clean = await withoutEcho(refusing(said), {headers: {authorization: basic}});
  expect(await clean.text()).toBe('Basic <secret> <secret> <secret>');
});

test('what is no secret, and a success, stay as they are', async () => {
  const body = new URLSearchParams({client_id: 'platform-cli', code: 'abc'});
  expect(await (await withoutEcho(refusing('platform-cli: abc'), {body})).text()).toBe('platform-cli: abc');
  const token = new URLSearchParams({refresh_token: 'the-refresh-token'});
  expect(await (await withoutEcho(refusing('the-refresh-token', 200), {body: token})).text()).toBe('the-refresh-token');
});

test('a refusal without a word is one', async () => {
  const body = new URLSearchParams({code: 'the-code-of-now'});
  expect(await (await withoutEcho(new Response(null, {status: 304}), {body})).text()).toBe('');
});
