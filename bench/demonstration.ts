import {dirname, join} from 'node:path';
import {launcher} from './launcher.ts';
import {inRounds} from './rounds.ts';
import {summarise} from './statistics.ts';
import {createSurroundings, type Surroundings} from './surroundings.ts';
import type {Row} from './table.ts';
import {measureStart} from './terminal-start.ts';
import {measureProcess} from './whole-process.ts';

const checkout = join(dirname(launcher), '..');

/**
 * Measures the demonstration: in a new home through npx and directly, and without a terminal, where it signs in and
 * writes the entries by itself. It always starts a platform of its own.
 */
export const measureDemonstration = async (runs: number): Promise<Readonly<Record<string, readonly Row[]>>> => {
  const npx = npxScript();
  const homes: Surroundings[] = [];
  /** A new home, in the checkout, with the programs that npx needs. */
  const newHome = (): Surroundings => {
    const home = createSurroundings();
    homes.push(home);
    return {...home, directory: checkout, env: {...home.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin`}};
  };
  const warm = createSurroundings();
  try {
    const first = await inRounds(runs, {
      directly: () => measureStart([launcher, 'demo'], '? keys', newHome()),
      npx: () => measureStart([npx, 'setup', 'demo'], '? keys', newHome()),
    });
    const measures = {
      node: () => measureProcess(['-e', '0'], warm),
      demo: () => measureProcess([launcher, 'demo', '--yes'], warm),
    };
    await inRounds(2, measures);
    const samples = await inRounds(runs, measures);
    const [directly, through] = [first.directly, first.npx].map(starts => summarise(starts.map(({wanted}) => wanted)));
    const [node, demo] = [summarise(samples.node), summarise(samples.demo)];
    return {
      [`The demonstration (${runs} runs)`]: [
        ...(directly && through
          ? [
              {label: 'node bin/setup.js demo in a new home', summary: directly, unit: 'ms'} as const,
              {
                ...({label: 'npx setup demo in a new home', summary: through, unit: 'ms'} as const),
                against: `× ${(through.median / directly.median).toFixed(2)}`,
                aim: 'aim ≤ 1.5 × directly',
              },
            ]
          : []),
        {label: 'node -e 0', isOther: true, summary: node, unit: 'ms'},
        {
          ...{label: 'setup demo --yes, from start to end', summary: demo, unit: 'ms'},
          against: `× ${(demo.median / node.median).toFixed(1)}`,
          aim: 'aim ≤ 0.8 s',
        },
      ],
    };
  } finally {
    for (const home of [...homes, warm]) home.remove();
  }
};

/** Returns npx's script. `npm run` names the one of npm, which is beside it. */
const npxScript = (): string => {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('Run this by npm run bench.');
  return join(dirname(npm), 'npx-cli.js');
};
