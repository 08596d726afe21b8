/**
 * Makes one small change (a mutant) at a time in the files that the arguments name, and reports the mutants that no
 * test notices. If the arguments name tests too, only those run, each for at most five seconds. Otherwise every test
 * that is related to a file runs, which takes several seconds for each mutant. `src/file.ts:10-80` changes only those
 * lines. Texts are not changed, because most of them are only shown.
 *
 * The report is printed, and saved as JSON in `coverage/`, which git ignores. The exit code is 1 if less than 85% of
 * the mutants are noticed.
 */
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Stryker} from '@stryker-mutator/core';

const LEAST = 85;

const named = process.argv.slice(2);
const isTest = (name: string) => /^(?:\.\/)?test\//.test(name);
const mutate = named.filter(name => !isTest(name));
if (mutate.length === 0) {
  console.error(`Name the files to change, and the tests that have to notice, if not every one that is related:

  npm run mutation -- src/state/reducer.ts test/state/reducer.test.ts
  npm run mutation -- 'src/state/**/*.ts' 'test/state/**/*.test.ts'`);
  process.exit(2);
}

// Stryker's own choice of tests would pass over every fault in what runs when a module is loaded (version 10.1).
const tests = named.filter(isTest);
if (tests.length > 0) process.env.MUTATION_TESTS = tests.join('\n');

const stryker = new Stryker({
  mutate,
  mutator: {excludedMutations: ['StringLiteral']},
  testRunner: 'vitest',
  vitest: {configFile: 'test/mutation/vitest.config.ts'},
  plugins: ['@stryker-mutator/vitest-runner'],
  // TypeScript 7 has no API for what Stryker would do with it.
  tsconfigFile: '',
  // Tests start servers, and a slow wait for one must not count as a noticed mutant.
  concurrency: 1,
  tempDirName: join(tmpdir(), 'platform-setup-mutation'),
  ignorePatterns: ['coverage', 'dist', 'docs'],
  // A test that waits forever fails by its own limit, which is shorter (`test/mutation/vitest.config.ts`): restarting
  // the runner after each such mutant would take several times as long.
  timeoutMS: 10_000,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: {logTests: false, reportTests: false},
  jsonReporter: {fileName: 'coverage/mutation.json'},
  thresholds: {high: 95, low: LEAST, break: LEAST},
});
await stryker.runMutationTest();
