import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/windows/**/*.test.ts'],
    globalSetup: 'test/windows/support/wine-prefix.ts',
    reporters: ['verbose'],
    testTimeout: 300_000,
    // One Windows, with one registry.
    fileParallelism: false,
  },
});
