import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type FaultName, faults} from '../../src/sandbox/faults.ts';
import {commandsIn} from '../support/commands-in-remedies.ts';
import {rowsOfTable} from '../support/tables.ts';
import type {Surroundings} from '../support/terminal/terminal-environment.ts';
import {connected} from './support/connected.ts';
import {type Platform, platformForTest} from './support/platform.ts';
import {jsonLines, type Line, runSetup, startSetup, surroundingsForTest} from './support/run.ts';
import {addressIn, signInAndReturn} from './support/sign-in/sign-in.ts';
import {choose, openSetup, reaches} from './support/wizard.ts';

type Where = {readonly surroundings: Surroundings; readonly platform?: Platform};

/** Returns the failures with which a command ends, or that a diagnosis finds. */
const failuresOf = async (args: readonly string[], {surroundings}: Where): Promise<readonly Line[]> => {
  const {stdout} = await runSetup([...args, '--json'], {surroundings});
  return jsonLines(stdout).filter(({type, verdict}) => type === 'failed' || verdict === 'fail');
};

/** Returns the commands that a remedy names, except those with a placeholder that only the person can fill in. */
const commandsOf = ({remedy}: Line): readonly (readonly string[])[] =>
  commandsIn(String(remedy)).filter(args => args.every(word => !/^[A-Z]+$|…/.test(word)));

/** Runs a command that a remedy names, and signs in if it asks for that, as a person would who follows the advice. */
const follow = async (args: readonly string[], {surroundings, platform}: Where): Promise<void> => {
  if (args.length === 0) {
    const terminal = openSetup(['--no-browser'], {env: surroundings.env});
    await terminal.waitFor('❯');
    if (platform) {
      await choose(terminal, 'Sign in again');
      await signInAndReturn(await addressIn(terminal));
      await reaches(terminal, 'done');
    }
    terminal.press('ctrl-c');
    await terminal.exit;
    return;
  }
  if (args[0] === 'login' && !args.includes('--no-wait')) {
    const run = startSetup([...args, '--no-browser', '--json'], {surroundings});
    const [waiting] = await run.prints(/^.*"sign-in-waiting".*$/m);
    await signInAndReturn(JSON.parse(waiting).url);
    expect(await run.ended).toMatchObject({code: 0});
    return;
  }
  const {code, stderr} = await runSetup(args, {surroundings});
  expect([args, code, stderr]).toEqual([args, expect.toBeOneOf([0, 1]), stderr]);
};

/** True if the operators, the network or the clock have to be put right before the person signs in. */
const isTurnOfOthers = (remedy: string) =>
  /operators|Correct this computer’s clock|Stop that program|If the identity provider answers again before that/.test(
    remedy.split('npx setup')[0] ?? '',
  );

/** The table grows with the sandbox. Faults that need a certificate from the start have tests of their own. */
const faultNames = (Object.keys(faults) as FaultName[]).filter(
  name => name !== 'self-signed' && name !== 'expired-certificate',
);

describe('somebody who signed in before, and whose token has ended', () => {
  test.each(rowsOfTable(faultNames, 0, 6))('gets on with each command that a remedy names: %s', async fault => {
    const platform = await platformForTest();
    const {surroundings, store} = await connected(platform);
    const where = {surroundings, platform};
    for (const command of [['token'], ['mcp', 'tools', 'control-plane'], ['doctor']]) {
      store.expire();
      await platform.raise([fault]);
      const failures = await failuresOf(command, where);
      const [first] = failures.filter(failure => commandsOf(failure).length > 0);
      if (!first) continue;
      if (isTurnOfOthers(String(first.remedy)) || fault === 'unknown-client') await platform.mend();
      for (const args of commandsOf(first)) await follow(args, where);
      const left = await failuresOf(command, where);
      expect(left.map(({code}) => code)).not.toContain(first.code);
      await platform.mend();
    }
  });
});

test.each([
  ['token'],
  ['mcp', 'tools', 'control-plane'],
  ['undo'],
  ['explain', 'nonsense'],
  ['mcp', 'nonsense'],
  ['nonsense'],
  ['context', 'use'],
  ['completion', 'tcsh'],
])('where nothing is set up, each command that the remedy names gets on: %s %s', async (...command) => {
  const surroundings = surroundingsForTest();
  const [failure] = await failuresOf(command.filter(Boolean), {surroundings});
  if (!failure) throw new Error(`${command.join(' ')} did not fail.`);
  for (const args of commandsOf(failure)) await follow(args, {surroundings});
});

test('broken credentials are signed in over, and kept under another name', async () => {
  const platform = await platformForTest();
  const {surroundings, store} = await connected(platform);
  writeFileSync(store.credentialsPath, '{');
  const [failure] = await failuresOf(['token'], {surroundings});
  expect(failure?.code).toBe('local-credentials-invalid');
  for (const args of commandsOf(failure as Line)) await follow(args, {surroundings, platform});
  expect(await failuresOf(['token'], {surroundings})).toEqual([]);
});

test('signed in, the commands that name what there is do so', async () => {
  const platform = await platformForTest();
  const {surroundings} = await connected(platform);
  for (const command of [
    ['mcp', 'call', 'control-plane', 'nonsense'],
    ['mcp', 'tools', 'control-plane', 'nonsense'],
    ['mcp', 'disconnect', 'cursor'],
    ['mcp', 'disconnect'],
    ['undo'],
    ['undo', '--run', '99'],
    ['login', '--device'],
  ]) {
    const [failure] = await failuresOf(command, {surroundings});
    if (!failure) throw new Error(`${command.join(' ')} did not fail.`);
    if (commandsOf(failure).length === 0) throw new Error(`${command.join(' ')}: ${failure.remedy}`);
    for (const args of commandsOf(failure)) await follow(args, {surroundings, platform});
  }
});

test('a company file with a fault is checked by the command that the remedy names', async () => {
  const surroundings = surroundingsForTest();
  const file = join(surroundings.temporary, 'acme.json');
  writeFileSync(file, JSON.stringify({version: 1, company: 'Acme', platform: {nonsense: 1}}));
  const [failure] = await failuresOf(['doctor', '--platform', file], {surroundings});
  const [args = []] = commandsOf(failure as Line);
  expect(args).toEqual(['platform', 'check', file]);
});
