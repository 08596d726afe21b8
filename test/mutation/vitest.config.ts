import {configDefaults, defineConfig} from 'vitest/config';

/** Every test that runs the sources in its own process: in a program that it starts, no mutant is ever active. */
// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: [
      ...configDefaults.exclude,
      ...['e2e', 'sandbox', 'clients', 'cluster', 'networks'].map(room => `test/${room}/**`),
    ],
    testTimeout: 20_000,
  },
});
