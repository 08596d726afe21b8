import {describe, expect, test} from 'vitest';
import {clientOf} from '../../support/platform.ts';
import type {Terminal} from '../../support/terminal/terminal.ts';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup} from '../support/run.ts';
import {addressesIn, addressIn, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {choose, openSetup, reaches} from '../support/wizard.ts';

/**
 * Sets up a machine with a token that has not expired here and that every server refuses, as after a reinstallation
 * of the platform.
 */
const refused = async () => {
  const machine = await connected(await platformForTest({faults: ['refresh-refused']}));
  spoil(machine);
  return machine;
};

const spoil = ({store}: Pick<Awaited<ReturnType<typeof connected>>, 'store'>) => {
  const kept = store.only();
  const [header, payload] = (kept.accessToken ?? '').split('.');
  store.putCredentials({...kept, accessToken: `${header}.${payload}.${'A'.repeat(86)}`});
};

/** Opens the home screen of a machine whose token is refused only after the home screen has asked the servers. */
const refusedSince = async (options: Parameters<typeof openSetup>[1], args: readonly string[] = []) => {
  const machine = await connected(await platformForTest({faults: ['refresh-refused']}));
  const terminal = openSetup(['--no-browser', ...args], {...options, env: machine.surroundings.env});
  await terminal.waitFor('Connected as');
  spoil(machine);
  return {...machine, terminal};
};

/** Opens the diagnosis, applies its fix, and completes the sign-in. */
const signInByDiagnosis = async (terminal: Terminal): Promise<void> => {
  await choose(terminal, 'Diagnostics');
  await terminal.waitFor(/f (?:fix|sign in)/);
  terminal.press('f');
  await terminal.waitFor('enter');
  terminal.press('enter');
  await signInAndReturn(await addressIn(terminal));
  await reaches(terminal, 'done');
};

describe.each([100, 40])('a young token that the servers refuse, at %i columns', columns => {
  test('is found by home itself, which leads to a sign-in, and every entry is renewed', async () => {
    const {surroundings, authorizations, store} = await refused();
    const terminal = openSetup(['--no-browser'], {env: surroundings.env, columns});
    await terminal.waitFor('You are signed out of platform');
    await terminal.waitFor('❯ Sign in again');
    expect(terminal.transcript()).not.toContain('Connected as');
    terminal.press('enter');
    await signInAndReturn(await addressIn(terminal));
    await reaches(terminal, 'done');
    const {accessToken} = store.only();
    expect(authorizations()).toEqual([`Bearer ${accessToken}`, `Bearer ${accessToken}`]);
  });

  test('leads from a check to a sign-in, and every entry is renewed', async () => {
    const {terminal, authorizations, store} = await refusedSince({columns});
    await choose(terminal, 'Check and renew');
    await terminal.waitFor('❯ Sign in again');
    terminal.press('enter');
    await signInAndReturn(await addressIn(terminal));
    await reaches(terminal, 'done');
    const {accessToken} = store.only();
    expect(authorizations()).toEqual([`Bearer ${accessToken}`, `Bearer ${accessToken}`]);
  });

  test('leads to a sign-in in another way, which renews nothing first', async () => {
    const {terminal} = await refusedSince({columns});
    await choose(terminal, 'Check and renew');
    await choose(terminal, 'Sign in another way');
    await choose(terminal, 'In the browser');
    await signInAndReturn(await addressIn(terminal));
    await reaches(terminal, 'done');
    expect(addressesIn(terminal.raw()).length).toBeGreaterThan(0);
  });

  test('leads through the diagnosis to a sign-in, from the failure', async () => {
    const {terminal} = await refusedSince({columns});
    await choose(terminal, 'Check and renew');
    await signInByDiagnosis(terminal);
  });
});

test('signed out, the diagnosis that home opens leads to a sign-in', async () => {
  const {store, surroundings} = await connected(await platformForTest({faults: ['refresh-refused']}));
  store.expire();
  const terminal = openSetup(['--no-browser'], {env: surroundings.env});
  await terminal.waitFor('You are signed out of platform');
  await signInByDiagnosis(terminal);
});

test('with a screen reader it is the same first choice', async () => {
  const {surroundings} = await refused();
  const terminal = openSetup(['--no-browser', '--accessible'], {env: surroundings.env});
  await terminal.waitFor('You are signed out of platform');
  await terminal.waitFor('1. Sign in again');
  terminal.press('1', 'enter');
  await signInAndReturn(await addressIn(terminal));
});

describe('a diagnosis that home has opened', () => {
  const opened = async () => {
    const {terminal} = await refusedSince({});
    await choose(terminal, 'Diagnostics');
    await terminal.waitFor('✖ The MCP server of the control plane does not accept the token');
    return terminal;
  };

  test('is left for good by Ctrl-C, as its own keys say', async () => {
    const terminal = await opened();
    terminal.press('ctrl-c');
    expect(await terminal.exit).toBe(130);
  });

  test('is what home speaks of afterwards', async () => {
    const terminal = await opened();
    terminal.press('esc');
    await terminal.waitFor(/Diagnostics: The MCP server of the control plane does not/);
  });
});

test('leads on to the sign-in of the assistants, which does not ask the person to sign in once more', async () => {
  const platform = await platformForTest({faults: ['refresh-refused']});
  const machine = await connected(platform);
  const {surroundings, run} = machine;
  const {clientId, secret} = clientOf(platform.ready, 'client_secret_basic');
  const login = ['login', '--as', 'assistants', '--client-id', clientId, '--client-secret-stdin'];
  expect(await runSetup(login, {surroundings, stdin: `${secret}\n`})).toMatchObject({code: 0});
  const terminal = openSetup(['--no-browser'], {env: surroundings.env});
  await terminal.waitFor('Connected as');
  expect(await run('logout', '--as', 'assistants')).toMatchObject({code: 0});
  spoil(machine);
  await choose(terminal, 'Check and renew');
  await choose(terminal, 'Sign in again');
  await signInAndReturn(await addressIn(terminal));
  await choose(terminal, 'Sign your assistants in');
  await terminal.waitFor('Which account should your assistants use?');
});

test.each([
  ['is renewed before the diagnosis', [], 1],
  ['is used as it is where it cannot be renewed', ['refresh-refused'], 0],
] as const)(
  'a token of a first set-up that soon expires %s, which finds the fault itself',
  async (_, more, renewals) => {
    let count = 0;
    const platform = await platformForTest({
      accessTokenLifetime: 25,
      faults: ['mcp-401', ...more],
      inFront: {
        'identity-provider': handler => (request, response) => {
          if (request.url === '/oauth2/token') count += 1;
          return handler(request, response);
        },
      },
    });
    const terminal = openSetup([...platform.flags, '--no-browser'], {rows: 40});
    await choose(terminal, 'Use this deployment');
    await choose(terminal, 'In the browser');
    await signInAndReturn(await addressIn(terminal));
    await terminal.waitFor('does not accept the token');
    const before = count;
    await choose(terminal, 'Diagnostics');
    // The verdict is shown when the last check has ended, which may be later than those of the MCP servers.
    const found = await terminal.waitFor(
      /✖ The MCP server of the control plane does not accept the token[\s\S]*MCP servers 2 failed/,
    );
    expect(found).not.toContain('You are not signed in');
    if (renewals > 0) expect(count - before).toBe(renewals);
    terminal.press('ctrl-c');
    await terminal.exit;
  },
);
