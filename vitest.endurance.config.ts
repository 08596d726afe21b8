import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/endurance/**/*.test.ts'],
    reporters: ['verbose'],
    testTimeout: 600_000,
    // Each of them is load enough, and some count what a machine does at once.
    fileParallelism: false,
  },
});
