import {availableParallelism} from 'node:os';
import {configDefaults, defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    // Real programs, and networks of their own: `npm run test:clients`, `test:cluster`, `test:networks`.
    exclude: [...configDefaults.exclude, 'test/clients/**', 'test/cluster/**', 'test/networks/**'],
    testTimeout: 20_000,
    // Many wait for a program that they started, or for a server that is slow on purpose.
    maxWorkers: availableParallelism() + 1,
  },
});
