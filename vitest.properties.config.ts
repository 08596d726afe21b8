import {defineConfig} from 'vitest/config';
import {shared} from './vitest.config.ts';

/** Every made-up case of the properties; `npm test` goes through a part of them. */
// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    ...shared,
    include: ['test/assistants/editors/*/properties.test.ts', 'test/flows/assistants/ownership-model.test.ts'],
    env: {WHOLE_PROPERTIES: '1'},
    testTimeout: 3_600_000,
    maxWorkers: 2,
  },
});
