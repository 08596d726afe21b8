import {configDefaults, defineConfig} from 'vitest/config';

const named = process.env.MUTATION_TESTS?.split('\n');

/**
 * Milliseconds for a test, and for what it leaves to be ended. Many faults make one wait for what never comes. Some of all
 * tests do take longer than five seconds; whoever names tests names quick ones.
 */
const limit = named ? 5_000 : 20_000;

/** The tests that were named, else all that run the sources themselves: in a program that one starts no fault is made. */
// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: named ?? ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: [
      ...configDefaults.exclude,
      ...['e2e', 'sandbox', 'clients', 'cluster', 'networks', 'endurance', 'conformance', 'terminals', 'windows'].map(
        room => `test/${room}/**`,
      ),
    ],
    testTimeout: limit,
    hookTimeout: limit,
  },
});
