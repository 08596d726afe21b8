import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, inject, test} from 'vitest';
import {portableRooms} from '../suites.ts';
import {onWindows, windowsMachine} from './support/windows.ts';

const {missing, packages} = inject('windows');
const root = fileURLToPath(new URL('../../', import.meta.url));
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

/** Returns each failed test and each file that could not be read, with its message. */
const failuresIn = ({testResults}: Report): readonly string[] =>
  testResults.flatMap(({name, status, message, assertionResults}) => {
    const failed = assertionResults.filter(one => one.status === 'failed');
    const told = failed.map(({fullName, failureMessages}) => `${name}: ${fullName}\n${failureMessages.join('\n')}`);
    return status === 'failed' && told.length === 0 ? [`${name}: ${message}`] : told;
  });

describe.skipIf(missing.length > 0)('on Windows, the tests of', () => {
  test.each(portableRooms)(
    '%s',
    async room => {
      const {start, home} = windowsMachine();
      const report = join(home, 'report.json');
      const reporters = ['--reporter', 'json', '--outputFile.json', onWindows(report)];
      const where = ['--root', onWindows(root)];
      // Wine takes ten times as long to start a program, and each file with a secret needs one to restrict its
      // access. Now and then Wine leaves a connection waiting forever, so a test fails only if it fails twice.
      const patience = ['--testTimeout', '180000', '--retry', '1'];
      const ran = await start(
        inject('windows').node,
        [onWindows(vitest), 'run', ...reporters, ...where, ...patience, `test/${room}/`],
        {
          ...{NODE_PATH: onWindows(packages), TESTS_ON_WINE: '1', SUITE: 'portable'},
        },
      );
      const found: Report = JSON.parse(readFileSync(report, 'utf8'));
      const {numPassedTests: passed, numFailedTests: failed, numPendingTests: left} = found;
      process.stdout.write(`${room}: ${passed} passed, ${failed} failed, ${left} left out\n`);
      expect(failuresIn(found)).toEqual([]);
      expect(passed, ran.stderr).toBeGreaterThan(0);
      expect(ran).toMatchObject({code: 0});
    },
    3_600_000,
  );
});
