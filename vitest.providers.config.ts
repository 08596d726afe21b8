import {defineConfig} from 'vitest/config';

/** Each step waits for a server and for a browser. */
const patience = {testTimeout: 120_000, hookTimeout: 60_000};

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'keycloak',
          include: ['test/providers/keycloak/**/*.test.ts'],
          globalSetup: ['test/providers/support/start-keycloak.ts'],
          ...patience,
        },
      },
      {test: {name: 'others', include: ['test/providers/others/**/*.test.ts'], ...patience}},
    ],
    // What was left out has to be seen.
    reporters: ['verbose'],
    maxWorkers: 2,
  },
});
