import {defineConfig} from 'vitest/config';
import {shared} from './vitest.config.ts';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    ...shared,
    include: ['assistants', 'domain', 'errors', 'flows', 'identity-providers', 'mcp', 'platform', 'ports', 'state'].map(
      room => `test/${room}/**/*.test.ts`,
    ),
  },
});
