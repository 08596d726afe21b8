import {describe, expect, test} from 'vitest';
import type {SandboxReady as Ready} from '../../../src/sandbox/sandbox.ts';
import type {Terminal} from '../../support/terminal/terminal.ts';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {addressIn, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {choose, openSetup, reaches, toReview} from '../support/wizard.ts';

/** Returns a person's machine whose platform is gone, and the same platform at other addresses. */
const moved = async () => {
  const former = await platformForTest();
  const machine = await connected(former);
  await former.end();
  return {...machine, ...(await platformForTest())};
};

/** Names the new addresses on the screen of a failure. */
const nameAddresses = async (
  terminal: Terminal,
  {controlPlaneUrl, observerUrl}: Ready,
  platform = controlPlaneUrl,
): Promise<void> => {
  await choose(terminal, 'Another base domain');
  await terminal.waitFor('Base domain, or any address');
  terminal.press('ctrl-u', platform, 'enter');
  await choose(terminal, 'Enter the observer’s address');
  await terminal.waitFor('Its address');
  terminal.press('ctrl-u', observerUrl, 'enter');
};

const only = ({controlPlaneUrl, observerUrl, authUrl}: Ready) => [
  {name: 'platform', controlPlaneUrl, observerUrl, authUrl},
];

describe('a saved platform that moved is found at its new address', () => {
  test.each([
    [100, 'the address of its control plane', ({controlPlaneUrl}: Ready) => controlPlaneUrl],
    [60, 'its base domain', ({controlPlaneUrl}: Ready) => new URL(controlPlaneUrl).host.replace(/^api\./, '')],
  ] as const)('from the first screen, at %i columns, by %s', async (columns, _what, nameOf) => {
    const {surroundings, store, ready, redirectUri} = await moved();
    const terminal = openSetup(['--no-browser', '--redirect-uri', redirectUri], {env: surroundings.env, columns});
    await choose(terminal, 'Check and renew');
    await nameAddresses(terminal, ready, nameOf(ready));
    const found = await terminal.waitFor('❯ Use this deployment');
    expect(found).toContain(ready.controlPlaneUrl);
    expect(found).not.toContain('As saved');
    terminal.press('enter');
    await choose(terminal, 'In the browser');
    await signInAndReturn(await addressIn(terminal));
    await toReview(terminal);
    terminal.press('enter');
    await reaches(terminal, 'done');
    expect(store.contexts()).toMatchObject(only(ready));
  });

  test('by login', async () => {
    const {surroundings, store, ready, redirectUri} = await moved();
    const terminal = openSetup(['login', '--no-browser', '--redirect-uri', redirectUri], {env: surroundings.env});
    await nameAddresses(terminal, ready);
    await choose(terminal, 'Use this deployment');
    await choose(terminal, 'In the browser');
    // The entries have to name the new addresses.
    await signInAndReturn(await addressIn(terminal));
    await toReview(terminal);
    terminal.press('enter');
    await reaches(terminal, 'done');
    expect(store.contexts()).toMatchObject(only(ready));
  });
});
