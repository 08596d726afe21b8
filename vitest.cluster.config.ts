import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.test.ts'],
    globalSetup: ['test/cluster/support/build-helm.ts'],
    // What was left out has to be seen.
    reporters: ['verbose'],
    // Tools are waited for, and so are plugins that are slow on purpose.
    testTimeout: 60_000,
  },
});
