import {defineConfig} from 'vitest/config';
import {long, shared} from './vitest.config.ts';

/** The end-to-end tests that `npm test` leaves out. */
// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({test: {...shared, include: long}});
