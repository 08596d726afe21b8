import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {openPage} from '../../e2e/support/sign-in/chromium.ts';
import {describeKeycloak} from '../support/describe-keycloak.ts';
import {decide, typeCredentials} from '../support/pages.ts';
import {machineAt} from '../support/person.ts';
import {ann} from '../support/realm.ts';

const device = {'oauth2.device.authorization.grant.enabled': 'true'};
const pkce = {'pkce.code.challenge.method': 'S256'};

/** Continues from the page with the code: the person signs in and confirms that they asked for it. */
const finish = async (page: Page) => {
  await typeCredentials(page, ann);
  await decide(page, 'Yes');
  await page.getByText('Device Login Successful').waitFor();
};

describeKeycloak('by a code', () => {
  test.each([
    ['does not look at PKCE', device],
    ['demands PKCE', {...device, ...pkce}],
  ])('a person signs in with a client that %s, typing it into Chromium', async (_what, attributes) => {
    const machine = await machineAt({client: {attributes}});
    const {waiting, end} = await machine.beginLogin('--device');
    expect(waiting).toMatchObject({type: 'device-code', verificationUri: `${machine.issuer}/device`});
    const {page} = await openPage();
    await page.goto(waiting.verificationUri ?? '');
    await page.locator('#device-user-code').fill(waiting.userCode ?? '');
    await page.getByRole('button', {name: 'Submit'}).click();
    await finish(page);
    expect(await end()).toMatchObject({code: 0, last: {type: 'done', account: 'ann@acme.example'}});
    const {accessToken} = machine.store.only();
    expect((await machine.setup(['token', '--renew'])).trim()).not.toBe(accessToken);
  });

  test('a person signs in at the address that has the code in it', async () => {
    const machine = await machineAt({client: {attributes: {...device, ...pkce}}});
    const {waiting, end} = await machine.beginLogin('--device');
    const {page} = await openPage();
    expect(waiting.complete).toContain(waiting.userCode);
    await page.goto(waiting.complete ?? '');
    await finish(page);
    expect(await end()).toMatchObject({code: 0});
  });

  test('a person who says no is taken at their word', async () => {
    const machine = await machineAt({client: {attributes: device}});
    const {waiting, end} = await machine.beginLogin('--device');
    const {page} = await openPage();
    await page.goto(waiting.complete ?? '');
    await typeCredentials(page, ann);
    await decide(page, 'No');
    expect(await end()).toMatchObject({code: 4, last: {type: 'failed', code: 'auth-declined'}});
  });

  test('a client that may not is not offered it, and --device says which switch it is', async () => {
    const machine = await machineAt();
    const {waiting, end} = await machine.beginLogin('--no-browser');
    expect(waiting).toMatchObject({type: 'sign-in-waiting', device: false});
    const {code, stdout} = await machine.run(['login', '--json', '--device', ...machine.flags]);
    expect(code).toBe(4);
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      code: 'auth-device-missing',
      remedy: expect.stringContaining('switch “OAuth 2.0 Device Authorization Grant” on'),
    });
    const {page} = await openPage();
    await page.goto(waiting.url ?? '');
    await typeCredentials(page, ann);
    expect(await end()).toMatchObject({code: 0});
  });
});
