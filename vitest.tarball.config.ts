import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/tarball/**/*.test.ts'],
    globalSetup: ['test/tarball/support/prepare.ts'],
    reporters: ['verbose'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
