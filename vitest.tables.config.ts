import {defineConfig} from 'vitest/config';
import {otherSuites, shared} from './vitest.config.ts';

/** `npm run test:faults` goes through the table of faults by itself. */
// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    ...shared,
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: [...otherSuites, 'test/faults/**'],
    env: {WHOLE_TABLES: '1'},
  },
});
