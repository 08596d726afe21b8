import {existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {payloadOf} from '../../../src/domain/tokens.ts';
import {clientOf} from '../../support/platform.ts';
import {startBridge} from '../support/bridge.ts';
import {platformForTest} from '../support/platform.ts';
import {jsonLines, runSetup, surroundingsForTest} from '../support/run.ts';

const underAssistant = {CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'a'};

/** Sets up a home with a sign-in, and an account of the assistants' own beside it. */
const machine = async (options: Parameters<typeof platformForTest>[0] = {}) => {
  const platform = await platformForTest(options);
  const surroundings = surroundingsForTest();
  const run = (args: readonly string[], more: {stdin?: string; env?: Readonly<Record<string, string>>} = {}) =>
    runSetup(args, {surroundings, ...more, env: {...surroundings.env, ...more.env}});
  const [me, theirs] = [
    clientOf(platform.ready, 'client_secret_basic'),
    clientOf(platform.ready, 'client_secret_post'),
  ];
  const signIn = ['login', ...platform.flags, '--client-secret-stdin'];
  const mine = await run([...signIn, '--client-credentials', '--client-id', me.clientId], {stdin: me.secret});
  expect(mine).toMatchObject({code: 0});
  const signInTheirs = () =>
    run(['login', '--as', 'assistants', '--client-id', theirs.clientId, '--client-secret-stdin'], {
      stdin: theirs.secret,
    });
  /** Returns the client of the token that a command prints. */
  const clientIn = async (args: readonly string[], env = {}) => {
    const {stdout, stderr} = await run(['token', ...args], {env});
    const token = stdout.startsWith('{') ? JSON.parse(stdout).Authorization.replace('Bearer ', '') : stdout.trim();
    return (payloadOf(token)?.client_id as string | undefined) ?? stderr;
  };
  return {platform, surroundings, run, me: me.clientId, theirs: theirs.clientId, signInTheirs, clientIn};
};

describe('an account of the assistants’ own', () => {
  test('is used for assistants, and the person’s own for the person', async () => {
    const {me, theirs, signInTheirs, clientIn, run} = await machine();
    expect(await clientIn(['--mcp-header'])).toBe(me);
    expect(await signInTheirs()).toMatchObject({code: 0});
    expect(await clientIn([])).toBe(me);
    expect(await clientIn(['--as', 'me'])).toBe(me);
    expect(await clientIn(['--as', 'assistants'])).toBe(theirs);
    expect(await clientIn(['--mcp-header'])).toBe(theirs);
    expect(await clientIn([], underAssistant)).toBe(theirs);
    const refused = await run(['token', '--as', 'me'], {env: underAssistant});
    expect(refused).toMatchObject({code: 2, stdout: ''});
    expect(refused.stderr).toContain('This is only for a person at a terminal.');
    // A sign-in that an assistant begins is that of its own account.
    expect(await run(['login'], {env: underAssistant})).toMatchObject({code: 0});
    expect(await clientIn([])).toBe(me);
    expect(await run(['login', '--as', 'me'], {env: underAssistant})).toMatchObject({code: 2});
    for (const words of [
      ['component', 'list'],
      ['mcp', 'tools', 'control-plane'],
      ['mcp', 'call', 'control-plane', 'x'],
    ])
      expect((await run([...words, '--as', 'me'], {env: underAssistant})).stderr).toContain('only for a person');
  });

  test('is said to only look, or to change something, by what the control plane answers to its own token', async () => {
    const {platform, theirs, signInTheirs} = await machine({release: '1.2'});
    const bind = (value: string, role: string) => platform.bind({claim: 'sub', value, role});
    const without = await signInTheirs();
    expect(`${without.stdout}${without.stderr}`).toContain('has no role for this account');
    bind(theirs, 'namespace-reader');
    const looking = await signInTheirs();
    expect(looking.stdout).toMatch(
      /According to the control plane, your assistants have a role for \d+ kinds of actions, all of them read-only, in /,
    );
    bind(theirs, 'developer');
    expect((await signInTheirs()).stdout).toMatch(/a role for \d+ kinds of actions, \d+ of which make changes, in /);
  });

  test('has no rights of its own at a release without roles, which is said', async () => {
    const {signInTheirs} = await machine({release: '0.14'});
    expect((await signInTheirs()).stdout).toContain(
      'This release of the platform has no roles, so nothing on the platform limits what your assistants can do.',
    );
  });

  test('is what entries hold and start, and what a sign-in renews', async () => {
    const {me, theirs, signInTheirs, run, surroundings} = await machine();
    const cursor = join(surroundings.home, '.cursor', 'mcp.json');
    mkdirSync(dirname(cursor), {recursive: true});
    /** Returns the client of the token in the file. */
    const held = () => {
      const {headers} = JSON.parse(readFileSync(cursor, 'utf8')).mcpServers['platform-control-plane'];
      return payloadOf(headers.Authorization.replace('Bearer ', ''))?.client_id;
    };
    const connect = ['mcp', 'connect', 'cursor', '--method', 'header', '--yes'];
    expect(await run(connect)).toMatchObject({code: 0});
    expect(held()).toBe(me);
    expect(await signInTheirs()).toMatchObject({code: 0});
    expect(held()).toBe(theirs);
    expect(await run(['login'])).toMatchObject({code: 0});
    expect(held()).toBe(theirs);
    expect(await run(connect)).toMatchObject({code: 0});
    expect(held()).toBe(theirs);
    expect(await run(['logout'])).toMatchObject({code: 0});
    expect(held()).toBe(theirs);
    expect(await run(['logout', '--as', 'assistants'])).toMatchObject({code: 0});
    expect(readFileSync(cursor, 'utf8')).not.toContain('eyJ');
  });

  test('is what the bridge uses', async () => {
    const {signInTheirs, run, surroundings} = await machine();
    await signInTheirs();
    expect(await run(['logout'])).toMatchObject({code: 0});
    const bridge = startBridge(['control-plane'], surroundings);
    await bridge.initialize();
    const {result} = await bridge.request('tools/list');
    expect(result.tools.length).toBeGreaterThan(10);
    expect(await run(['logout', '--as', 'assistants'])).toMatchObject({code: 0});
    const {error} = await bridge.request('tools/call', {name: 'list_organizations', arguments: {}});
    expect(error.message).toMatch(
      /^Your assistants are signed out of platform\..* login --context platform --as assistants/,
    );
  });

  test('is signed out by itself, and leaves the person’s own alone', async () => {
    const {me, theirs, signInTheirs, clientIn, run, surroundings} = await machine();
    await signInTheirs();
    const both = JSON.parse((await run(['status', '--json'])).stdout);
    expect(both).toMatchObject({
      state: 'signed-in',
      contexts: [{clientId: me, assistantsAccount: {clientId: theirs, state: 'valid'}}],
    });
    expect((await run(['status'])).stdout).toMatch(
      new RegExp(`^ {2}Assistants act as {2}${theirs}, token valid for `, 'm'),
    );
    const out = await run(['logout', '--as', 'assistants']);
    expect(out).toMatchObject({code: 0, stderr: ''});
    expect(await clientIn([])).toBe(me);
    expect((await run(['status'])).stdout).toContain(`${theirs}, signed out. Run npx setup login --as assistants`);
    // An account of theirs that is signed out is no reason to sign the person in again.
    mkdirSync(join(surroundings.home, '.cursor'), {recursive: true});
    expect((await run(['mcp', 'connect', 'cursor', '--yes'])).code).not.toBe(0);
    const {verdict} = jsonLines((await run(['doctor', '--json'])).stdout).at(-2) as unknown as {verdict: object};
    expect(verdict).toMatchObject({sentence: 'Your assistants are not signed in', code: 'auth-sign-in-required'});
    // Signed out is not the same as acting as the person.
    expect(await clientIn(['--mcp-header'])).toMatch(/signed out|sign in/i);
    expect(await signInTheirs()).toMatchObject({code: 0});
    expect(await run(['logout'])).toMatchObject({code: 0});
    expect(await clientIn([])).toMatch(/signed out|sign in/i);
    expect(await clientIn(['--mcp-header'])).toBe(theirs);
    expect((await run(['context', 'remove', 'platform'])).stderr).toContain(
      'logout --context platform --as assistants',
    );
  });

  test('is given up by a person, and by nobody else', async () => {
    const {me, signInTheirs, clientIn, run, surroundings} = await machine();
    mkdirSync(join(surroundings.home, '.cursor'), {recursive: true});
    await signInTheirs();
    const giveUp = ['mcp', 'connect', 'cursor', '--yes', '--assistants-as', 'you'];
    const refused = await run(giveUp, {env: underAssistant});
    expect(refused).toMatchObject({code: 2});
    expect(refused.stderr).toContain('Ask the person to run the command.');
    expect(await run(giveUp)).toMatchObject({code: 0});
    expect(await clientIn(['--mcp-header'])).toBe(me);
    expect(await clientIn([], underAssistant)).toBe(me);
    expect((await run(['status'])).stdout).not.toContain('act as');
    expect((await run(['token', '--as', 'assistants'])).code).toBe(2);
  });

  test('goes with everything else at an uninstall', async () => {
    const {signInTheirs, run, surroundings} = await machine();
    await signInTheirs();
    expect(await run(['uninstall', '--yes'])).toMatchObject({code: 0});
    const {setupHome} = surroundings;
    expect(existsSync(setupHome) ? readdirSync(setupHome) : 'removed').toBe('removed');
  });

  test('needs a client with a secret, and a deployment', async () => {
    const {run} = await machine();
    const none = await run(['login', '--as', 'assistants', '--yes']);
    expect(none).toMatchObject({code: 2});
    expect(none.stderr).toContain('--client-id');
    expect((await run(['token', '--as', 'assistants'])).stderr).toContain('have no account of their own');
    expect((await run(['token', '--as', 'root'])).stderr).toContain('--as takes me or assistants, not root.');
  });
});
