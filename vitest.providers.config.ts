import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/providers/**/*.test.ts'],
    globalSetup: ['test/providers/support/start-keycloak.ts'],
    // What was left out has to be seen.
    reporters: ['verbose'],
    // Each step waits for a server in Java and for a browser.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
