import {describe, expect, test} from 'vitest';
import {clientOf} from '../../support/platform.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';
import {storeIn} from '../support/store.ts';
import {choose, openSetup} from '../support/wizard.ts';

/** Sets up a machine whose client got another secret since: the saved one is refused. */
const refused = async (signIn: 'mcp-client' | 'service-account') => {
  const platform = await platformForTest();
  const surroundings = surroundingsForTest();
  const method = signIn === 'mcp-client' ? 'client_secret_basic' : 'client_secret_post';
  const {clientId, secret} = clientOf(platform.ready, method);
  const login = ['login', ...platform.flags, '--sign-in', signIn, '--client-id', clientId, '--client-secret-stdin'];
  expect(await runSetup(login, {surroundings, stdin: `${secret}\n`})).toMatchObject({code: 0});
  const store = storeIn(surroundings.setupHome);
  store.putCredentials({...store.only(), clientSecret: 'dead', obtainedAt: 1, expiresAt: 2});
  return {surroundings, clientId, secret, store};
};

describe.each([
  ['login', ['login']],
  ['the home screen', []],
])('a secret that is refused, at %s', (_, words) => {
  test.each([
    ['mcp-client', 'mcp-client', 'Use an MCP client'],
    ['mcp-client', 'service-account', 'With a service account'],
    ['service-account', 'mcp-client', 'Use an MCP client'],
    ['service-account', 'service-account', 'With a service account'],
  ] as const)('of a sign-in by %s is asked for, or another client, on the way to %s', async (before, way, label) => {
    const {surroundings, clientId, secret, store} = await refused(before);
    const terminal = openSetup(words, {env: surroundings.env});
    if (words.length === 0) await choose(terminal, 'Sign in again');
    await terminal.waitFor('Enter the client again');
    await choose(terminal, 'Sign in another way');
    await choose(terminal, label);
    // Nothing is sent before the person has typed a secret.
    const form = await terminal.waitFor('Which client should sign in?');
    expect(form).not.toContain('from the last sign-in');
    if (way !== before) {
      terminal.press('ctrl-c');
      await terminal.exit;
      return;
    }
    expect(form).toContain(clientId);
    terminal.press('tab', secret, 'enter');
    await terminal.waitFor('You are signed in');
    expect(store.only().clientSecret).toBe(secret);
  });
});
