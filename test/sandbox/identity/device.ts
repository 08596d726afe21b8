import type {SandboxReady} from '../../../src/sandbox/sandbox.ts';
import {send} from '../support.ts';
import {type Browser, cli, createBrowser} from './browser.ts';

export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** Requests a device code and a user code (RFC 8628 3.1). */
export const beginDevice = ({authUrl}: SandboxReady, form: Record<string, string> = {}) =>
  send(`${authUrl}/oauth2/device_authorization`, {
    form: {client_id: cli.client_id, scope: 'openid profile email', ...form},
  });

/** Polls once for the tokens (RFC 8628 3.4). */
export const poll = ({authUrl}: SandboxReady, device_code: string, form: Record<string, string> = {}) =>
  send(`${authUrl}/oauth2/token`, {
    form: {grant_type: deviceCodeGrant, client_id: cli.client_id, device_code, ...form},
  });

/**
 * Types a user code, and returns the page that asks whether it is the person's own. Requests a new code if none is
 * given.
 */
export const confirmation = async (ready: SandboxReady, browser: Browser, userCode?: string) => {
  const {user_code, device_code} = userCode ? {user_code: userCode} : (await beginDevice(ready)).json;
  const url = `${ready.authUrl}/device`;
  const page = await browser.submit(await browser.visit(url), url, {user_code});
  return {page, url, deviceCode: String(device_code)};
};

/** Answers that question, and signs in if the next page asks for it. Returns the last page. */
export const decide = async (
  ready: SandboxReady,
  decision: {confirm: 'yes'} | {abort: 'yes'},
  person?: {username: string; password: string},
  userCode?: string,
) => {
  const browser = createBrowser();
  const {page, url, deviceCode} = await confirmation(ready, browser, userCode);
  const answer = await browser.submit(page, url, decision);
  const gate = answer.headers.location;
  if (!gate || !person) return {page: answer, deviceCode};
  const submitted = await browser.submit(await browser.visit(gate), gate, person);
  return {page: await browser.visit(submitted.headers.location ?? ''), deviceCode};
};
