import {defineConfig} from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/terminals/**/*.test.ts'],
    reporters: ['verbose'],
    testTimeout: 60_000,
    // A display has one pointer, and one window that has the keyboard.
    fileParallelism: false,
  },
});
