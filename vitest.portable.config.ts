import {defineConfig} from 'vitest/config';
import {shared} from './vitest.config.ts';

/** The folders of tests that need no pseudo-terminal. */
export const rooms = [
  'assistants',
  'domain',
  'errors',
  'flows',
  'identity-providers',
  'mcp',
  'platform',
  'ports',
  'state',
];

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {...shared, include: rooms.map(room => `test/${room}/**/*.test.ts`)},
});
