import {parseArgs} from 'node:util';
import {measureBridges} from './bridge/rows.ts';
import {compareWith, formatComparison} from './compare.ts';
import {measureDemonstration} from './demonstration.ts';
import {measureDetections} from './detection/rows.ts';
import {measureDoctor} from './doctor.ts';
import {countKeys} from './key-count.ts';
import {measureKeys} from './keys.ts';
import {measureLarge} from './large.ts';
import {measureSignIn} from './sign-in.ts';
import {measureStartUp} from './start-up.ts';
import {formatTable, type Table} from './table.ts';
import {measureToken} from './token.ts';
import {measureVersion} from './version.ts';

const RUNS = 15;
const COLD_RUNS = 5;
const PARALLEL_RUNS = 5;
const KEY_RUNS = 10;
const BRIDGE_RUNS = 7;
const DOCTOR_RUNS = 7;
const LARGE_RUNS = 5;
const DEMONSTRATION_RUNS = 5;

/** The runs of each figure in one round of a comparison, which has several rounds. */
const ROUND_RUNS = 3;

/** How often a comparison measures both builds. */
const ROUNDS = 5;

/** Measures everything that starts the program, with few runs. */
const measureRound = async (): Promise<Table> => ({
  ...(await measureVersion(ROUND_RUNS)),
  ...(await measureToken(ROUND_RUNS, 1)),
  ...(await measureStartUp(ROUND_RUNS, 1)),
  ...(await measureKeys(1)),
  ...(await measureBridges(ROUND_RUNS, false)),
  ...(await measureDoctor(ROUND_RUNS)),
  ...(await measureLarge(1)),
});

const {values} = parseArgs({
  options: {peers: {type: 'boolean', default: false}, against: {type: 'string'}, round: {type: 'boolean'}},
});

if (values.round) process.stdout.write(JSON.stringify(await measureRound()));
else if (values.against === undefined) {
  process.stdout.write(`Node ${process.versions.node}. Medians; ratios are between figures of this run.\n`);
  process.stdout.write(formatTable(await measureVersion(RUNS)));
  process.stdout.write(formatTable(await measureToken(RUNS, PARALLEL_RUNS)));
  process.stdout.write(formatTable(await measureStartUp(RUNS, COLD_RUNS)));
  process.stdout.write(formatTable(await measureDemonstration(DEMONSTRATION_RUNS)));
  process.stdout.write(formatTable(await countKeys()));
  process.stdout.write(formatTable(await measureKeys(KEY_RUNS)));
  process.stdout.write(formatTable(await measureDetections(RUNS)));
  process.stdout.write(formatTable(await measureSignIn(RUNS)));
  process.stdout.write(formatTable(await measureBridges(BRIDGE_RUNS, values.peers)));
  process.stdout.write(formatTable(await measureDoctor(DOCTOR_RUNS)));
  process.stdout.write(formatTable(await measureLarge(LARGE_RUNS)));
} else process.stdout.write(formatComparison(await compareWith(values.against, ROUNDS)));
