import {defineConfig} from 'vitest/config';
import {shared} from './vitest.config.ts';

/** The tests that sign in or ask a platform, on the release that `TEST_RELEASE` names (test/support/release.ts). */
// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    ...shared,
    include: ['flows', 'state', 'command-line', 'dialogue', 'bridge', 'e2e'].map(room => `test/${room}/**/*.test.ts`),
  },
});
