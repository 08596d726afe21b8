import {defineConfig} from 'vitest/config';
import {shared} from './vitest.config.ts';

/** Every fault with every flow; `npm test` goes through a part of them. */
// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    ...shared,
    include: ['test/faults/**/*.test.ts'],
    env: {WHOLE_TABLES: '1'},
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
