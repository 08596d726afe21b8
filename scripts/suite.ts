/**
 * Runs suites of tests by their names (`test/suites.ts`), each with what it needs. Lists the suites if none is named.
 * Arguments after the names go to Vitest: files, `-t`, `--project`. A suite with several variants takes the names of
 * some of them. Exit code 1 means that a test failed, and 2 that a suite cannot run on this machine.
 */
import {spawnSync} from 'node:child_process';
import {accessSync, constants} from 'node:fs';
import {delimiter, join} from 'node:path';
import {type Need, type Suite, suites} from '../test/suites.ts';

/** Whether a program is on the PATH, or in Debian's directories for the superuser. */
const isThere = ({command}: Need): boolean =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'].some(directory => {
    try {
      accessSync(join(directory, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Returns the reasons why a suite cannot run here, each with what to do. */
const missingFor = ({needs = [], isForLinux, isForRoot}: Suite): readonly string[] => {
  const gone = needs.filter(need => !isThere(need) && !need.isOptional);
  return [
    ...(isForLinux && process.platform !== 'linux' ? ['It runs on Linux only.'] : []),
    ...(isForRoot && process.getuid?.() !== 0 ? ['It has to be run as root.'] : []),
    ...howToGet(gone),
  ];
};

/** Returns the parts of a suite that are skipped here, each with what to do. */
const leftOutOf = ({needs = []}: Suite): readonly string[] =>
  howToGet(needs.filter(need => !isThere(need) && need.isOptional));

const howToGet = (gone: readonly Need[]): readonly string[] => {
  const packages = gone.flatMap(({debian}) => debian ?? []);
  const names = gone.map(({command}) => command).join(', ');
  const others = gone.flatMap(({command, from}) => (from === undefined ? [] : [`${command}: ${from}`]));
  if (gone.length === 0) return [];
  return [`Missing: ${names}.`, ...(packages.length > 0 ? [`apt-get install ${packages.join(' ')}`] : []), ...others];
};

const args = process.argv.slice(2);
const first = args.findIndex(arg => !(arg in suites));
const asked = first < 0 ? args : args.slice(0, first);
const rest = first < 0 ? [] : args.slice(first).filter(arg => arg !== '--');

const run = (
  name: string,
  suite: Suite,
  more: readonly string[],
  env: Readonly<Record<string, string>> = {},
): boolean => {
  const reporter = suite.isVerbose ? ['--reporter', 'verbose'] : [];
  const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
  const {status} = spawnSync(process.execPath, [vitest, 'run', ...reporter, ...more], {
    stdio: 'inherit',
    env: {...process.env, ...env, SUITE: name},
  });
  return status === 0;
};

const runVariants = (name: string, suite: Suite): boolean => {
  const {variants} = suite;
  if (!variants) return run(name, suite, rest);
  const named = rest.filter(arg => variants.values.includes(arg));
  const more = rest.filter(arg => !variants.values.includes(arg));
  const failed = (named.length > 0 ? named : variants.values).filter(value => {
    console.log(`\n${name} ${value}\n`);
    return !run(name, suite, more, {[variants.variable]: value});
  });
  if (failed.length > 0) console.error(`\nTests failed on ${failed.join(', ')}.`);
  return failed.length === 0;
};

if (asked.length === 0) {
  const [unknown] = args;
  if (unknown !== undefined && !unknown.startsWith('-')) {
    console.error(`There is no suite ${unknown}. Known: ${Object.keys(suites).join(', ')}.`);
    process.exit(2);
  }
  for (const [name, suite] of Object.entries(suites)) {
    console.log(`${name}  (${suite.takes})\n  ${suite.shows}`);
    for (const line of [...missingFor(suite), ...leftOutOf(suite)]) console.log(`  ${line}`);
  }
  process.exit(0);
}
const chosen = asked.map(name => [name, suites[name] as Suite] as const);
const impossible = chosen.filter(([, suite]) => missingFor(suite).length > 0);
for (const [name, suite] of impossible)
  console.error([`${name} cannot be run here.`, ...missingFor(suite)].join('\n  '));
if (impossible.length > 0) process.exit(2);
for (const [name, suite] of chosen) {
  const left = leftOutOf(suite);
  if (left.length > 0) console.log([`${name} leaves something out.`, ...left].join('\n  '));
}
const failed = chosen.filter(([name, suite]) => !runVariants(name, suite));
process.exit(failed.length > 0 ? 1 : 0);
