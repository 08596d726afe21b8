import {execFile} from 'node:child_process';
import {cp, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {CHECKOUT} from './launcher.ts';
import {inRounds} from './rounds.ts';
import {summarise} from './statistics.ts';
import type {Row, Table} from './table.ts';

const run = promisify(execFile);

const here = fileURLToPath(new URL('..', import.meta.url));

/** A figure of both builds. `ratios` has one ratio of now to before for each round; a ratio above 1 is worse. */
export type Compared = {
  readonly heading: string;
  readonly label: string;
  readonly unit: Row['unit'];
  readonly before: number;
  readonly now: number;
  readonly ratios: readonly number[];
};

/**
 * Builds another revision of this repository in a directory of its own, measures both builds in turn, and returns the
 * figures that both have. The revision's packages are installed anew if its lock file is another one.
 *
 * @param revision as git names it, such as `HEAD~3` or a tag
 * @throws Error if git does not know the revision, or it cannot be built
 */
export const compareWith = async (revision: string, rounds: number): Promise<readonly Compared[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'setup-bench-against-'));
  const checkout = join(directory, 'checkout');
  try {
    await run('git', ['worktree', 'add', '--detach', '--quiet', checkout, revision], {cwd: here});
    await build(checkout, revision);
    const samples = await inRounds(rounds, {before: () => measure(checkout), now: () => measure(here)});
    return compare(samples.before, samples.now);
  } finally {
    await rm(directory, {recursive: true, force: true});
    await run('git', ['worktree', 'prune'], {cwd: here});
  }
};

const build = async (checkout: string, revision: string): Promise<void> => {
  const isSame = await run('git', ['diff', '--quiet', revision, '--', 'package-lock.json'], {cwd: here}).then(
    () => true,
    () => false,
  );
  if (isSame)
    await cp(join(here, 'node_modules'), join(checkout, 'node_modules'), {recursive: true, verbatimSymlinks: true});
  else await run('npm', ['ci', '--ignore-scripts'], {cwd: checkout});
  await run('npm', ['run', 'build'], {cwd: checkout});
};

/** Measures a build in a process of its own, which finds the build by the variable. */
const measure = async (checkout: string): Promise<Table> => {
  const {stdout} = await run(process.execPath, [join(here, 'bench', 'run.ts'), '--round'], {
    env: {...process.env, [CHECKOUT]: checkout},
    maxBuffer: MOST_OUTPUT,
  });
  return JSON.parse(stdout) as Table;
};

/** Far more than a table has, in bytes. */
const MOST_OUTPUT = 16 * 1024 * 1024;

/** Compares the rounds of two builds: round by round, because other load on the machine affects both of a round. */
export const compare = (before: readonly Table[], now: readonly Table[]): readonly Compared[] =>
  Object.entries(now[0] ?? {}).flatMap(([heading, rows]) =>
    rows.flatMap(({label, unit, isOther}): readonly Compared[] => {
      const of = (tables: readonly Table[]) =>
        tables.flatMap(table => table[heading]?.find(row => row.label === label)?.summary.median ?? []);
      const [old, own] = [of(before), of(now)];
      if (isOther || old.length !== now.length || own.length !== now.length) return [];
      const ratios = own.map((figure, round) => {
        const ratio = figure / (old[round] ?? figure);
        return unit === '/s' ? 1 / ratio : ratio;
      });
      return [{heading, label, unit, before: summarise(old).median, now: summarise(own).median, ratios}];
    }),
  );

/** A figure counts as worse if it is by more than this share in the middle, and in every round but one by any. */
const NOISE = 0.03;

/** Whether a figure is worse now by more than noise. */
export const isWorse = ({ratios}: Pick<Compared, 'ratios'>): boolean => {
  const worse = ratios.filter(ratio => ratio > 1).length;
  return summarise(ratios).median > 1 + NOISE && worse >= ratios.length - 1;
};

/** Returns the comparison as text: both figures, the ratio with its spread, and a mark where it is worse. */
export const formatComparison = (all: readonly Compared[]): string => {
  const lines = all.flatMap((one, index) => {
    const {median, min, max} = summarise(one.ratios);
    const figures = `${one.before.toFixed(1).padStart(9)} ${one.now.toFixed(1).padStart(9)} ${one.unit.padEnd(4)}`;
    const spread = `× ${median.toFixed(2)}  ${min.toFixed(2)} to ${max.toFixed(2)}`;
    const isFirst = all[index - 1]?.heading !== one.heading;
    return [
      ...(isFirst ? [`\n${one.heading.replace(/ \(\d.*\)$/, '')}`] : []),
      `  ${one.label.padEnd(42)}${figures} ${spread}${isWorse(one) ? '   worse' : ''}`,
    ];
  });
  const worse = all.filter(isWorse).length;
  const end = worse === 0 ? 'Nothing is worse by more than noise.' : `Worse by more than noise: ${worse}.`;
  return `Before and now, measured in turn; the ratio of the round in the middle, lowest to highest.\n${lines.join('\n')}\n\n${end}\n`;
};
