import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {bundleHello} from './hello/bundle.ts';
import {launcher} from './launcher.ts';
import {inRounds} from './rounds.ts';
import {summarise} from './statistics.ts';
import {createSurroundings, type Surroundings} from './surroundings.ts';
import type {Row} from './table.ts';
import {measureStart, type Start} from './terminal-start.ts';

/** Measures the first paint and the first interactive frame, warm and cold, beside bare Node and the hello-world. */
export const measureStartUp = async (runs: number, coldRuns: number): Promise<Readonly<Record<string, Row[]>>> => {
  const warm = createSurroundings();
  try {
    const hello = await bundleHello(warm.directory);
    const bare = join(warm.directory, 'bare.cjs');
    await writeFile(bare, 'console.log("Bare Node");\n');
    const measuresIn = (where: () => Surroundings) => ({
      node: () => measureStart([bare], 'Bare Node', where()),
      setup: () => measureStart([launcher], '? keys', where()),
      demo: () => measureStart([launcher, 'demo'], '? keys', where()),
      hello: () => measureStart([hello], '? keys', where()),
    });
    await inRounds(
      2,
      measuresIn(() => warm),
    );
    const samples = await inRounds(
      runs,
      measuresIn(() => warm),
    );
    return {
      [`Start in a terminal, warm (${runs} runs)`]: rowsOf(samples),
      ...(await coldGroup(coldRuns, measuresIn)),
    };
  } finally {
    warm.remove();
  }
};

type Samples = Readonly<Record<'node' | 'setup' | 'demo' | 'hello', readonly Start[]>>;

const coldGroup = async (
  runs: number,
  measuresIn: (where: () => Surroundings) => Readonly<Record<keyof Samples, () => Promise<Start>>>,
) => {
  const homes: Surroundings[] = [];
  const fresh = () => {
    const home = createSurroundings();
    homes.push(home);
    return home;
  };
  try {
    const rows = rowsOf(await inRounds(runs, measuresIn(fresh)));
    // Cold starts are for information: the aim is for what a person sees from the second run on.
    return {[`Start in a terminal, nothing cached (${runs} runs)`]: rows.map(({aim: _, ...row}) => row)};
  } finally {
    for (const home of homes) home.remove();
  }
};

const rowsOf = ({node, setup, demo, hello}: Samples): Row[] => {
  const text = (starts: readonly Start[]) => summarise(starts.map(({firstText}) => firstText));
  const frame = (starts: readonly Start[]) => summarise(starts.map(({wanted}) => wanted));
  const ratio = (one: {median: number}, other: {median: number}) => `× ${(one.median / other.median).toFixed(2)}`;
  const rows: Row[] = [
    {label: 'Bare Node, first line', isOther: true, summary: text(node), unit: 'ms'},
    ...[['setup', setup] as const, ['setup demo', demo] as const].map(
      ([name, starts]): Row => ({
        label: `${name}, first paint`,
        summary: text(starts),
        unit: 'ms',
        against: ratio(text(starts), text(node)),
        aim: 'aim ≤ 2 × bare Node',
      }),
    ),
    {label: 'Ink hello-world, first frame', isOther: true, summary: frame(hello), unit: 'ms'},
    {
      label: 'setup, first interactive frame',
      summary: frame(setup),
      unit: 'ms',
      against: ratio(frame(setup), frame(hello)),
      aim: 'aim ≤ 1.15 × hello-world',
    },
    {label: 'setup demo, first interactive frame', summary: frame(demo), unit: 'ms'},
  ];
  return [
    ...rows,
    ...memoryRow('Ink hello-world, memory then', hello),
    ...memoryRow('setup, memory then', setup, hello),
  ];
};

const memoryRow = (label: string, starts: readonly Start[], beside?: readonly Start[]): Row[] => {
  const known = memoryOf(starts);
  const other = memoryOf(beside ?? []);
  if (known.length === 0) return [];
  const summary = summarise(known);
  const against = other.length === 0 ? {} : besideHello(summary.median - summarise(other).median);
  return [{label, ...(beside ? {} : {isOther: true as const}), summary, unit: 'MiB', ...against}];
};

const memoryOf = (starts: readonly Start[]) => starts.flatMap(({memory}) => (memory === undefined ? [] : [memory]));

/** `more` is in MiB. */
export const besideHello = (more: number) => ({
  against: `${more < 0 ? '-' : '+'} ${Math.abs(more).toFixed(1)}`,
  aim: 'aim ≤ hello-world + 25 MiB',
});
