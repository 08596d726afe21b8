import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/networks/**/*.test.ts'],
    globalSetup: ['test/networks/support/prepare.ts'],
    // What was left out has to be seen.
    reporters: ['verbose'],
    // Networks are waited for as long as they take: an answer after 40 s, a connection that is given up.
    testTimeout: 150_000,
    hookTimeout: 60_000,
    // Each situation has namespaces of its own, so two go on side by side; more would be slow for want of processors.
    maxWorkers: 2,
  },
});
