import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/organisation/**/*.test.ts'],
    globalSetup: ['test/organisation/support/prepare.ts'],
    reporters: ['verbose'],
    testTimeout: 600_000,
    // Each has the directories of a whole machine for itself.
    fileParallelism: false,
  },
});
