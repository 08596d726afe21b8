import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';
import {suites} from './test/suites.ts';

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

/** The suite that `scripts/suite.ts` was asked for; without it, what `npm test` runs. */
const name = process.env.SUITE ?? 'unit';
const suite = suites[name];
if (!suite) throw new Error(`There is no suite ${name}. Known: ${Object.keys(suites).join(', ')}.`);
const configs = Array.isArray(suite.config) ? suite.config : [suite.config];

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    sequence: {sequencer: LongestFirst},
    projects: configs.map(config => ({test: {name, ...config}})),
  },
});
