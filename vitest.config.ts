import {availableParallelism} from 'node:os';
import {configDefaults, defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';

/** Files that take longest, most of it waiting. At the end of a run they would hold everybody up, so they begin it. */
const longest = [
  /diagnosis\/slow-idp/,
  /signed-out/,
  /e2e\/diagnosis\/doctor/,
  /connect-assistants/,
  /assistants\/own-cli/,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({moduleId}: TestSpecification) => longest.some(one => one.test(moduleId));
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))];
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    // Real programs, networks of their own, and hours: `npm run test:clients`, `test:cluster`, and so on.
    exclude: [
      ...configDefaults.exclude,
      ...['clients', 'cluster', 'networks', 'endurance', 'conformance', 'providers'].map(room => `test/${room}/**`),
    ],
    testTimeout: 20_000,
    sequence: {sequencer: LongestFirst},
    // A worker of its own for each of three hundred files costs more than most of them; none leaves anything behind.
    isolate: false,
    // Many wait for a program that they started, or for a server that is slow on purpose.
    maxWorkers: availableParallelism() + 1,
  },
});
