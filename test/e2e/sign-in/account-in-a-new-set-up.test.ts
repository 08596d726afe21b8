import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {clientOf} from '../../support/platform.ts';
import type {Terminal} from '../../support/terminal/terminal.ts';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup} from '../support/run.ts';
import {addressIn, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {choose, openSetup, reaches} from '../support/wizard.ts';

/**
 * Returns a machine whose assistants have an account of their own, which is signed out, and that is set up anew: for the
 * same platform, or for one that has moved to other addresses.
 */
const machine = async (where: 'the same platform' | 'a platform that has moved') => {
  const before = await platformForTest();
  const {surroundings, store, run} = await connected(before);
  mkdirSync(join(surroundings.home, '.cursor'));
  const loginOf = ({ready}: typeof before) => {
    const {clientId, secret} = clientOf(ready, 'client_secret_basic');
    return {clientId, secret, words: ['login', '--as', 'assistants', '--client-id', clientId, '--client-secret-stdin']};
  };
  const {words: login, secret, clientId} = loginOf(before);
  expect(await runSetup(login, {surroundings, stdin: `${secret}\n`})).toMatchObject({code: 0});
  const hasMoved = where !== 'the same platform';
  if (hasMoved) await before.end();
  else {
    expect(await run('logout', '--as', 'assistants', '--yes')).toMatchObject({code: 0});
    expect(await run('logout', '--yes')).toMatchObject({code: 0});
  }
  const now = hasMoved ? await platformForTest() : before;
  const {controlPlaneUrl, observerUrl, authUrl} = now.ready;
  const addresses = ['--control-plane-url', controlPlaneUrl, '--observer-url', observerUrl, '--auth-url', authUrl];
  const words = [...(hasMoved ? addresses : []), '--no-browser', '--redirect-uri', now.redirectUri];
  const terminal = openSetup(words, {env: surroundings.env, rows: 40});
  if (!hasMoved) await choose(terminal, 'Start over');
  await choose(terminal, 'Use this deployment');
  await choose(terminal, 'In the browser');
  await signInAndReturn(await addressIn(terminal));
  const account = () => store.contexts()[0]?.assistantsAccount;
  return {terminal, run, account, clientId, secret: loginOf(now).secret};
};

const toTheEnd = async (terminal: Terminal) => {
  terminal.press('enter');
  const done = await reaches(terminal, 'done');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  return done;
};

describe.each(['the same platform', 'a platform that has moved'] as const)(
  'an account of the assistants that is signed out, in a new set-up of %s',
  where => {
    test('is named, and signed in before the review', async () => {
      const {terminal, run, account, clientId, secret} = await machine(where);
      const list = await reaches(terminal, 'assistants');
      expect(list).toContain(`their own account, ${clientId}`);
      expect(list).toContain('signed out; you sign them in next');
      terminal.press('enter');
      await terminal.waitFor('Which account should your assistants use?');
      await choose(terminal, `Enter the secret of ${clientId}`);
      terminal.press('tab', secret, 'enter');
      await reaches(terminal, 'review');
      expect(await toTheEnd(terminal)).toContain('is ready for your assistant');
      expect(account()).toMatchObject({clientId});
      expect((await run('status')).stdout).toMatch(new RegExp(`Assistants act as +${clientId}, token valid`));
    });

    test('is given up if the person lets the assistants act as them, which the review says', async () => {
      const {terminal, run, account, clientId} = await machine(where);
      await reaches(terminal, 'assistants');
      terminal.press('enter');
      await choose(terminal, 'Let them act as you');
      const review = await reaches(terminal, 'review');
      expect(review.replace(/\s+/g, ' ')).toContain(`Their account, ${clientId}, will be signed out`);
      await toTheEnd(terminal);
      expect(account()).toBeUndefined();
      expect((await run('status')).stdout).not.toContain('Assistants act as');
    });
  },
);
