import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/systems/**/*.test.ts'],
    globalSetup: ['test/systems/support/prepare.ts'],
    // What was left out has to be seen.
    reporters: ['verbose'],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
