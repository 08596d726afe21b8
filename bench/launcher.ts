import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The name of the variable that names another checkout to measure, in which `npm run build` was run. */
export const CHECKOUT = 'SETUP_BENCH_CHECKOUT';

/** The launcher of the program that is measured. */
export const launcher = join(process.env[CHECKOUT] ?? fileURLToPath(new URL('..', import.meta.url)), 'bin', 'setup.js');
