import {describe, expect, test} from 'vitest';
import type {SandboxReady as Ready} from '../../../src/sandbox/sandbox.ts';
import type {Terminal} from '../../support/terminal/terminal.ts';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {addressIn, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {choose, openSetup, reaches, toReview} from '../support/wizard.ts';

/**
 * Returns a person's machine whose platform is gone, and the same platform at other addresses.
 *
 * @param args of a command that ran before that
 */
const moved = async (...args: readonly string[]) => {
  const former = await platformForTest();
  const machine = await connected(former);
  if (args.length > 0) expect(await machine.run(...args)).toMatchObject({code: 0});
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

test('a new set-up of a platform that has moved knows which assistants are connected', async () => {
  const {surroundings, store, project, ready, redirectUri} = await moved('mcp', 'connect', 'cursor', '--yes');
  const {controlPlaneUrl, observerUrl, authUrl} = ready;
  const addresses = ['--control-plane-url', controlPlaneUrl, '--observer-url', observerUrl, '--auth-url', authUrl];
  const words = [...addresses, '--no-browser', '--redirect-uri', redirectUri, '--project', project];
  const terminal = openSetup(words, {env: surroundings.env, rows: 40});
  await choose(terminal, 'Use this deployment');
  await choose(terminal, 'In the browser');
  await signInAndReturn(await addressIn(terminal));
  const list = await reaches(terminal, 'assistants');
  expect(list).toMatch(/◉ Cursor/);
  expect(list).toMatch(/◉ MCP JSON .*token/);
  expect(list).not.toContain('No assistant was found');
  // An assistant that is no longer ticked is disconnected, as in a run that only connects assistants.
  terminal.press('down');
  await terminal.waitFor('❯ ◉ Cursor');
  terminal.press(' ');
  await terminal.waitFor('will be removed');
  terminal.press('enter');
  await reaches(terminal, 'review');
  terminal.press('enter');
  expect(await reaches(terminal, 'done')).toContain('Cursor is disconnected: its entries were removed.');
  const [context] = store.contexts();
  expect(context).toMatchObject({controlPlaneUrl, entries: [{assistant: 'generic', method: 'header'}]});
  expect(context?.entries).toHaveLength(1);
});

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
