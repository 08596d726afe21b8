import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/servers/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What was left out has to be seen.
    reporters: ['verbose'],
    maxWorkers: 2,
  },
});
