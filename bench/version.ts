import {launcher} from './launcher.ts';
import {inRounds} from './rounds.ts';
import {summarise} from './statistics.ts';
import {createSurroundings} from './surroundings.ts';
import type {Row} from './table.ts';
import {measureProcess} from './whole-process.ts';

/** Measures `setup --version` from start to end, beside Node that does nothing. */
export const measureVersion = async (runs: number): Promise<Readonly<Record<string, Row[]>>> => {
  const surroundings = createSurroundings();
  try {
    const measures = {
      node: () => measureProcess(['-e', '0'], surroundings),
      version: () => measureProcess([launcher, '--version'], surroundings),
    };
    await inRounds(2, measures);
    const samples = await inRounds(runs, measures);
    const [node, version] = [summarise(samples.node), summarise(samples.version)];
    return {
      [`Whole process (${runs} runs)`]: [
        {label: 'node -e 0', isOther: true, summary: node, unit: 'ms'},
        {
          label: 'setup --version',
          summary: version,
          unit: 'ms',
          against: `× ${(version.median / node.median).toFixed(2)}`,
          aim: 'aim ≤ 1.3 × bare Node',
        },
      ],
    };
  } finally {
    surroundings.remove();
  }
};
