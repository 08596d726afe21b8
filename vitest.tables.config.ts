import {mergeConfig} from 'vitest/config';
import everyday from './vitest.config.ts';

/** `npm run test:faults` goes through the table of faults by itself. */
// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default mergeConfig(everyday, {test: {env: {WHOLE_TABLES: '1'}, exclude: ['test/faults/**']}});
