import {inRounds} from '../rounds.ts';
import {summarise} from '../statistics.ts';
import {createSurroundings} from '../surroundings.ts';
import type {Row} from '../table.ts';
import {type Detection, measureDetection} from './measure.ts';
import type {Paces} from './platform-servers.ts';

const live: Paces = {controlPlane: 0, identityProvider: 0, single: 0, multi: 0};

const scenarios = {
  'all live': live,
  'control plane slow, 300 ms': {...live, controlPlane: 300},
  'observer slow, 300 ms; other dead': {...live, single: 300, multi: 'dead'},
  'one observer dead': {...live, multi: 'dead'},
} as const satisfies Readonly<Record<string, Paces>>;

const hopeless = {
  'control plane dead': {...live, controlPlane: 'dead'},
  'both observers dead': {...live, single: 'dead', multi: 'dead'},
} as const satisfies Readonly<Record<string, Paces>>;

/**
 * Measures how much longer the search for a deployment takes than the slowest host that answers, and what a dead host
 * costs.
 */
export const measureDetections = async (runs: number): Promise<Readonly<Record<string, Row[]>>> => {
  const surroundings = createSurroundings();
  const measures = <Name extends string>(all: Readonly<Record<Name, Paces>>) =>
    Object.fromEntries(
      Object.entries<Paces>(all).map(([name, paces]) => [name, () => measureDetection(paces, surroundings)]),
    ) as Record<Name, () => Promise<Detection>>;
  try {
    await inRounds(2, measures({'all live': live}));
    const found = await inRounds(runs, measures(scenarios));
    // Each of these takes the two seconds that a dead host may cost, so a few are enough.
    const failed = await inRounds(3, measures(hopeless));
    return {
      [`Detection, verdict after the slowest host that answers (${runs} runs)`]: Object.entries(found).map(
        ([name, detections]): Row => ({
          label: name,
          summary: summarise(detections.map(({verdict, slowestAnswer}) => verdict - slowestAnswer)),
          unit: 'ms',
          aim: 'aim ≤ 50 ms',
        }),
      ),
      'Detection, until it says that nothing is there (3 runs)': Object.entries(failed).map(
        ([name, detections]): Row => ({
          label: name,
          summary: summarise(detections.map(({verdict}) => verdict)),
          unit: 'ms',
          aim: 'aim ≤ 2 s',
        }),
      ),
    };
  } finally {
    surroundings.remove();
  }
};
