import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/conformance/**/*.test.ts'],
    // Which scenarios do not apply has to be seen, and why.
    reporters: ['verbose'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
