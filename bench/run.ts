import {measureBridges} from './bridge/rows.ts';
import {measureDetections} from './detection/rows.ts';
import {measureDoctor} from './doctor.ts';
import {countKeys} from './key-count.ts';
import {measureKeys} from './keys.ts';
import {measureSignIn} from './sign-in.ts';
import {measureStartUp} from './start-up.ts';
import {formatTable} from './table.ts';
import {measureToken} from './token.ts';
import {measureVersion} from './version.ts';

const RUNS = 15;
const COLD_RUNS = 5;
const PARALLEL_RUNS = 5;
const KEY_RUNS = 10;
const BRIDGE_RUNS = 7;
const DOCTOR_RUNS = 7;

process.stdout.write(`Node ${process.versions.node}. Medians; ratios are between figures of this run.\n`);
process.stdout.write(formatTable(await measureVersion(RUNS)));
process.stdout.write(formatTable(await measureToken(RUNS, PARALLEL_RUNS)));
process.stdout.write(formatTable(await measureStartUp(RUNS, COLD_RUNS)));
process.stdout.write(formatTable(await countKeys()));
process.stdout.write(formatTable(await measureKeys(KEY_RUNS)));
process.stdout.write(formatTable(await measureDetections(RUNS)));
process.stdout.write(formatTable(await measureSignIn(RUNS)));
process.stdout.write(formatTable(await measureBridges(BRIDGE_RUNS)));
process.stdout.write(formatTable(await measureDoctor(DOCTOR_RUNS)));
