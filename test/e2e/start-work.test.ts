import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {temporaryDirectory} from '../support/place.ts';
import {openTerminal} from '../support/terminal/terminal.ts';
import {launcher} from '../support/terminal/terminal-environment.ts';
import {rotating, tokenServer} from '../support/token-server.ts';
import {runSetup} from './support/run.ts';
import {signedIn} from './support/sign-in/signed-in.ts';

const counter = join(import.meta.dirname, '../support/count-work.cjs');

/** Prepares a count of what a start does. `until` is the text that ends it. */
const counting = async (until = '') => {
  const file = join(await temporaryDirectory(), 'counted.json');
  return {
    env: {NODE_OPTIONS: `--require=${counter}`, COUNT_FILE: file, COUNT_UNTIL: until},
    counted: () => JSON.parse(readFileSync(file, 'utf8')),
  };
};

const good = () => ({obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000});

/** Runs a command twice, because the first run finds nothing in the caches, and counts the second one. */
const countRuns = async (prepare: () => ReturnType<typeof signedIn>['options'], ...args: readonly string[]) => {
  const {env, counted} = await counting();
  for (const _ of ['cold', 'warm']) expect(await runSetup(args, {...prepare(), env})).toMatchObject({code: 0});
  return counted();
};

/** Counts what the wizard does until its first frame that takes keys. */
const countFirstFrame = async () => {
  const {env, counted} = await counting('? keys');
  const terminal = openTerminal(process.execPath, [launcher], {env});
  onTestFinished(terminal.close);
  await terminal.waitFor('? keys');
  terminal.press('ctrl-c');
  await terminal.exit;
  return counted();
};

const starts = {
  'token, valid': () => countRuns(() => signedIn('http://idp.acme.localhost:8080', good()).options, 'token'),
  'token, renewed': async () => {
    const {issuer} = await tokenServer(rotating);
    return countRuns(() => signedIn(issuer).options, 'token');
  },
  status: () => countRuns(() => signedIn('http://idp.acme.localhost:8080', good()).options, 'status'),
  'first frame': countFirstFrame,
} as const;

// 5% above the value when the figure was written down: calls of the file system, and modules of Node. Lower a figure
// together with the change that reduces it.
test.each([
  ['token, valid', {calls: 23, modules: 114}],
  ['token, renewed', {calls: 339, modules: 194}],
  ['status', {calls: 155, modules: 138}],
  ['first frame', {calls: 324, modules: 174}],
] as const)('a start does no more work than it needs: %s', async (start, most) => {
  const found: Readonly<Record<string, number>> = await starts[start]();
  const over = Object.entries(most).filter(([what, limit]) => (found[what] ?? Number.NaN) > limit);
  expect({over, found}).toEqual({over: [], found});
});
