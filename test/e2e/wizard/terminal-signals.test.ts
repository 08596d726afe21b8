import {expect, test} from 'vitest';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {addressIn, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {openSetup, reaches} from '../support/wizard.ts';

/** Signs in again on a machine that is signed out, and returns everything that was written to the terminal. */
const signInAgain = async (env: Readonly<Record<string, string>>) => {
  const {store, surroundings} = await connected(await platformForTest({faults: ['refresh-refused']}));
  store.expire();
  const terminal = openSetup(['--no-browser'], {env: {...surroundings.env, ...env}});
  await terminal.waitFor('❯ Sign in again');
  terminal.press('enter');
  await signInAndReturn(await addressIn(terminal));
  await reaches(terminal, 'done');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  return terminal.raw();
};

test('the tab says where the wizard is, and the person is called back from the browser', async () => {
  const raw = await signInAgain({TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app'});
  const titles = [...raw.matchAll(/\u001B\]2;([^\u0007]*)\u0007/g)].map(([, title]) => title);
  expect(titles[0]).toBe('Platform setup: Deployment');
  expect(titles).toContain('Platform setup: Sign in');
  expect(titles.at(-1)).toBe('Platform setup: Done');
  expect(raw.match(/\u001B\[22;2t/g)).toHaveLength(1);
  expect(raw.lastIndexOf('\u001B[23;2t')).toBeGreaterThan(raw.lastIndexOf('\u001B]2;'));
  expect(raw.match(/\u001B\]9;[^\u0007]*\u0007/g)).toEqual(['\u001B]9;You are signed in.\u0007']);
});

test('SETUP_SIGNALS=off leaves the tab alone', async () => {
  const raw = await signInAgain({TERM: 'xterm-256color', SETUP_SIGNALS: 'off'});
  expect(raw).not.toMatch(/\u001B\]2;|\u001B\]9;|\u001B\[2[23];2t/);
});
