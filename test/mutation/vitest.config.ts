import {configDefaults, defineConfig} from 'vitest/config';

const named = process.env.MUTATION_TESTS?.split('\n');

/**
 * Milliseconds for a test and its cleanup. Many mutants make a test wait forever. Some tests of the whole set take
 * longer than five seconds; tests that are named are quick.
 */
const limit = named ? 5_000 : 20_000;

/** The named tests, or all tests that run the sources themselves: a program that a test starts has no mutants. */
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
