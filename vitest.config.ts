import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {configDefaults, defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';

/** Files that take longest, most of it waiting. At the end of a run they would hold everybody up, so they begin it. */
const longest = [
  /signed-out/,
  /e2e\/diagnosis\/doctor/,
  /connect-assistants/,
  /assistants\/own-cli/,
  /wizard\/bursts/,
  /wizard\/terminals/,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({moduleId}: TestSpecification) => longest.some(one => one.test(moduleId));
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))];
  }
}

/** Real programs, networks of their own, and hours: `npm run test:clients`, `test:cluster`, and so on. */
export const otherSuites = [
  ...configDefaults.exclude,
  ...[
    'clients',
    'cluster',
    'networks',
    'endurance',
    'conformance',
    'servers',
    'providers',
    'terminals',
    'windows',
    'systems',
    'tarball',
    'runners',
    'organisation',
  ].map(room => `test/${room}/**`),
];

/** What starts the program dozens of times for one part of a journey: `npm run test:long`, which CI runs too. */
export const long = [
  ...['connect-assistants', 'own-cli', 'own-copy', 'mcp-tools', 'tool-sets', 'undo', 'unreadable-file'].map(
    name => `test/e2e/assistants/${name}.test.ts`,
  ),
  ...['cluster-tools', 'company-file', 'kept-network', 'org-export', 'releases', 'saved-config', 'trust'].map(
    name => `test/e2e/deployment/${name}.test.ts`,
  ),
  ...['login', 'one-token-for-both', 'service-account', 'sign-out', 'token-per-server', 'token-per-server-login'].map(
    name => `test/e2e/sign-in/${name}.test.ts`,
  ),
  ...['accessible', 'bursts', 'colour', 'leave', 'questions', 'resume', 'terminals'].map(
    name => `test/e2e/wizard/${name}.test.ts`,
  ),
  ...['canaries', 'diagnosis/debug', 'diagnosis/doctor'].map(name => `test/e2e/${name}.test.ts`),
  'test/flows/diagnosis/slow-idp.test.ts',
  'test/e2e/uninstall.test.ts',
  'test/build.test.ts',
  'test/e2e/printed-commands.test.ts',
  'test/e2e/remedy-commands.test.ts',
];

/** What every suite shares that runs the product against the sandbox. */
export const shared = {
  // For a program that hangs, not for a machine that is busy: on one, a second is nothing.
  testTimeout: 60_000,
  setupFiles: ['fail-on-warnings', 'undici-timers'].map(name =>
    fileURLToPath(new URL(`./test/support/${name}.ts`, import.meta.url)),
  ),
  expect: {poll: {timeout: 15_000}},
  sequence: {sequencer: LongestFirst},
  // A worker of its own for each of three hundred files costs more than most of them; none leaves anything behind.
  isolate: false,
  // Many wait for a program that they started, or for a server that is slow on purpose.
  maxWorkers: availableParallelism() + 1,
};

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {...shared, include: ['test/**/*.test.ts', 'test/**/*.test.tsx'], exclude: [...otherSuites, ...long]},
});
