import {describe, expect, test, vi} from 'vitest';
import {signInAt} from '../../support/browser.ts';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {addressIn, signInAndReturn, waits} from '../support/sign-in/sign-in.ts';
import {choose, openSetup, reaches, toReview} from '../support/wizard.ts';

test('a sign-in that was refused comes back by one key, with every entry renewed', async () => {
  const {store, surroundings, authorizations} = await connected(await platformForTest({faults: ['refresh-refused']}));
  const before = store.only();
  store.expire();

  const terminal = openSetup(['--no-browser'], {env: surroundings.env});
  const screen = await terminal.waitFor('You are signed out of platform');
  expect(screen).toContain('❯ Sign in again');
  terminal.press('enter');
  await signInAndReturn(await addressIn(terminal));
  await reaches(terminal, 'done');
  expect(terminal.raw()).not.toContain('These files will change');
  expect(terminal.transcript()).toMatch(/control plane\s+[1-9]\d* tools/);
  expect(terminal.transcript()).toMatch(/observability\s+[1-9]\d* tools/);

  const {accessToken} = store.only();
  expect(accessToken).not.toBe(before.accessToken);
  expect(authorizations()).toEqual([`Bearer ${accessToken}`, `Bearer ${accessToken}`]);
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
});

test('home says that the person is signed out as soon as that has come out', async () => {
  const platform = await platformForTest();
  const {store, surroundings} = await connected(platform);
  const terminal = openSetup(['--no-browser'], {env: surroundings.env});
  // Home has asked, so it does not find out by itself for a minute.
  await terminal.waitFor('Connected as');
  store.expire();
  await platform.raise(['refresh-refused']);
  await choose(terminal, 'Check and renew');
  await terminal.waitFor('Sign in another way');
  await choose(terminal, 'Sign in another way');
  await terminal.waitFor('How do you want to sign in?');
  terminal.press('esc');
  const screen = await terminal.waitFor('Start over');
  expect(screen).toContain('You are signed out of platform');
  expect(screen).not.toContain('Signed in as');
});

test('an identity provider that is away is no refusal: the sign-in is kept, and that is said', async () => {
  const platform = await platformForTest();
  const {store, surroundings} = await connected(platform);
  const before = store.only();
  store.expire();
  await platform.end();

  const terminal = openSetup(['--no-browser'], {env: surroundings.env});
  await terminal.waitFor(/could not be renewed right now/);
  expect(terminal.screen()).not.toContain('has ended');
  await terminal.waitFor('Sign in again');
  expect(store.only()).toMatchObject({accessToken: before.accessToken, refreshToken: before.refreshToken});
});

describe('the faults of the sandbox end well', () => {
  test('slow-idp: the time runs out, and it can be tried again', async () => {
    const {flags} = await platformForTest({faults: ['slow-idp']});
    const terminal = openSetup(['--sign-in', 'browser', '--no-browser', ...flags]);
    await reaches(terminal, 'deployment');
    terminal.press('enter');
    // The deadline of a call is long, and a test cannot shorten it.
    const screen = await terminal.until('The failure', () => failed(terminal.screen()), 25_000);
    expect(screen).toContain('did not answer in time');
    await choose(terminal, 'Try again');
    await terminal.waitFor('Signing in');
  }, 40_000);

  test('no-browser: the demonstration shows the address, and goes on by a paste', async () => {
    const terminal = openSetup(['demo', '--fault', 'no-browser']);
    await reaches(terminal, 'deployment');
    terminal.press('enter');
    // Enter chooses the way to sign in that shows the fault.
    await reaches(terminal, 'sign-in');
    terminal.press('enter');
    const answer = await signInAt(await addressIn(terminal));
    await terminal.waitFor(waits);
    // The address may have scrolled away.
    terminal.press('a');
    await vi.waitFor(() => expect(terminal.raw().split('/oauth2/authorize?').length).toBeGreaterThan(2));
    terminal.press('p');
    await terminal.waitFor('Paste the address that the browser ended up at');
    terminal.press(answer.href, 'enter');
    await toReview(terminal);
  });
});

const failed = (screen: string) => (/✖ The identity\s+provider/.test(screen) ? screen : undefined);
