import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    // Each starts programs of some hundred megabytes, and what was left out has to be seen.
    fileParallelism: false,
    reporters: ['verbose'],
    testTimeout: 180_000,
  },
});
