import {mergeConfig} from 'vitest/config';
import everyday from './vitest.config.ts';

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default mergeConfig(everyday, {test: {env: {WHOLE_TABLES: '1'}}});
