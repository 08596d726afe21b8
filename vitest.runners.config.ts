import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/runners/**/*.test.ts'],
    globalSetup: ['test/runners/support/prepare.ts'],
    reporters: ['verbose'],
    testTimeout: 240_000,
    maxWorkers: 2,
  },
});
