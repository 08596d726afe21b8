import {expect, test} from 'vitest';
import {openPage} from '../../e2e/support/sign-in/chromium.ts';
import {describeKeycloak} from '../support/describe-keycloak.ts';
import {decide, ended, setPassword, typeCredentials} from '../support/pages.ts';
import {machineAt} from '../support/person.ts';
import {ann, newcomer} from '../support/realm.ts';

describeKeycloak('in Chromium', () => {
  test('a person sets the password that they have to set, and is signed in', async () => {
    const machine = await machineAt();
    const {waiting, end} = await machine.beginLogin();
    const {page} = await openPage();
    await page.goto(waiting.url ?? '');
    await typeCredentials(page, newcomer);
    await setPassword(page, 'a-password-of-my-own');
    await ended(page);
    expect(await end()).toMatchObject({code: 0, last: {type: 'done', account: 'newcomer@acme.example'}});
  });

  test('a person who mistypes their password is asked again, and the program waits', async () => {
    const machine = await machineAt();
    const {waiting, end} = await machine.beginLogin();
    const {page} = await openPage();
    await page.goto(waiting.url ?? '');
    await typeCredentials(page, {...ann, password: 'mistyped'});
    await page.getByText('Invalid username or password').first().waitFor();
    await typeCredentials(page, ann);
    await ended(page);
    expect(await end()).toMatchObject({code: 0});
  });

  test('a person gives their consent', async () => {
    const machine = await machineAt({client: {consentRequired: true}});
    const {waiting, end} = await machine.beginLogin();
    const {page} = await openPage();
    await page.goto(waiting.url ?? '');
    await typeCredentials(page, ann);
    await decide(page, 'Yes');
    await ended(page);
    expect(await end()).toMatchObject({code: 0});
    await machine.setup(['token', '--renew']);
  });

  test('a person who declines is told so on the page and in the terminal', async () => {
    const machine = await machineAt({client: {consentRequired: true}});
    const {waiting, end} = await machine.beginLogin();
    const {page} = await openPage();
    await page.goto(waiting.url ?? '');
    await typeCredentials(page, ann);
    await decide(page, 'No');
    await ended(page);
    expect(await page.innerText('body')).toContain('declined');
    expect(await end()).toMatchObject({code: 4, last: {type: 'failed', code: 'auth-declined'}});
  });
});
