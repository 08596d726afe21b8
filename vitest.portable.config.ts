import {defineConfig} from 'vitest/config';
import {shared} from './vitest.config.ts';

const rooms = ['assistants', 'domain', 'errors', 'identity-providers', 'mcp', 'platform', 'ports', 'state'];

/** The machine that flows are tested on has the paths of Linux in it. */
const onUnix = process.platform === 'win32' ? [] : ['flows'];

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {...shared, include: [...rooms, ...onUnix].map(room => `test/${room}/**/*.test.ts`)},
});
