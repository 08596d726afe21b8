import {Box} from 'ink';
import type {WizardState} from '../../state/model.ts';
import type {Intro} from '../../state/view/view.ts';
import {receiptsOf, stageNames, stagesOf} from '../../state/view/view-of.ts';
import {type Binding, useKeyRows} from './keys.tsx';
import {useFrameRows, useSize} from './size.tsx';
import {Text} from './text.tsx';
import {useGlyphs} from './theme.ts';

const titleOf = ({settings}: WizardState) => (settings.demo ? 'Platform setup, demonstration' : 'Platform setup');

/** From so many columns on the stages stand side by side. The last one of eighty is left free. */
const WIDE = 79;

const WIDEST = 100;
const GAP = 3;
const STAGE_GAP = 2;

/** How many rows the rail takes: one where title and stages stand side by side. */
export const useRailRows = (state: WizardState): number => {
  const {columns} = useSize();
  const stages = stagesOf(state);
  const wide = stages.reduce((sum, {stage}) => sum + stageNames[stage].length + 2 + STAGE_GAP, -STAGE_GAP);
  const current = stages.find(({status}) => status === 'current');
  const narrow = current ? `1 of ${stages.length}: ${stageNames[current.stage]}`.length : 0;
  const needed = titleOf(state).length + GAP + (columns >= WIDE ? wide : narrow);
  return needed <= Math.min(columns, WIDEST) - 2 ? 1 : 2;
};

/** The title, and where in the wizard this is: all stages where there is room, else the current one with its number. */
export function Rail({state}: {readonly state: WizardState}) {
  const {columns} = useSize();
  const glyphs = useGlyphs();
  const stages = stagesOf(state);
  const at = stages.findIndex(({status}) => status === 'current');
  const sign = {done: glyphs.done, current: glyphs.current, 'to-come': glyphs.waiting};
  const current = stages[at];
  return (
    <Box paddingLeft={2} columnGap={GAP} flexWrap="wrap" maxWidth={WIDEST}>
      <Box flexGrow={1} flexShrink={0}>
        <Text bold>{titleOf(state)}</Text>
      </Box>
      {columns >= WIDE ? (
        <Box columnGap={STAGE_GAP} flexShrink={0}>
          {stages.map(({stage, status}) => (
            <Text key={stage} bold={status === 'current'}>
              {sign[status]} {stageNames[stage]}
            </Text>
          ))}
        </Box>
      ) : current ? (
        <Text bold>
          {at + 1} of {stages.length}: {stageNames[current.stage]}
        </Text>
      ) : null}
    </Box>
  );
}

/** A terminal with fewer rows than this has none to spare. */
const LOW = 22;

/** Few rows are for the question; where it is and what was done stay in mind, or in the scrollback. */
export const useIsLow = (): boolean => useSize().rows < LOW;

/** Between the parts of a screen, in rows. */
export const useGap = (): number => (useIsLow() ? 0 : 1);

/** How many rows sentences take behind the margin, broken between words; a word that is longer than a row is cut. */
export const rowsOf = (text: string, columns: number): number =>
  text.split('\n').reduce((rows, line) => rows + rowsOfLine(line, columns), 0);

const rowsOfLine = (text: string, columns: number): number => {
  const width = Math.max(1, columns - 2);
  let [rows, used] = [1, 0];
  for (const {length} of text.split(' ')) {
    const after = used === 0 ? length : used + 1 + length;
    if (after <= width) used = after;
    else {
      rows += (used === 0 ? 0 : 1) + Math.ceil(length / width) - 1;
      used = length % width;
    }
  }
  return rows;
};

/** What stands between a heading and the keys: its rows without gaps, and how many groups a gap stands before. */
export type Needs = {readonly rows: number; readonly parts: number};

/** How a screen shares out the terminal's rows. */
export type Layout = {
  /** Whether what was needed has room. */
  readonly fits: boolean;
  readonly hasRail: boolean;
  readonly hasReceipts: boolean;
  /** How much of the introduction is said: its sentence, and what was found. */
  readonly intro: 'all' | 'sentence' | 'none';
  /** The empty rows above and below what the screen says, each. */
  readonly margin: 0 | 1;
  /** The empty rows between its groups. */
  readonly gap: 0 | 1;
  /** The most rows that the heading and the keys may take. */
  readonly headingRows: number;
  readonly keyRows: number;
  /** How many rows are left for what was needed, without gaps. */
  readonly room: number;
};

type Step = Pick<Layout, 'hasRail' | 'hasReceipts' | 'intro' | 'margin' | 'gap'>;

const everything: Step = {hasRail: true, hasReceipts: true, intro: 'all', margin: 1, gap: 1};

/** What a screen goes without first where there are too few rows: what is said elsewhere, then what only looks better. */
const dropped: readonly Partial<Step>[] = [
  {},
  {intro: 'sentence'},
  {hasReceipts: false},
  {intro: 'none'},
  {hasRail: false},
  {margin: 0},
  {gap: 0},
];

const steps: readonly Step[] = dropped.map((_, index) => Object.assign({}, everything, ...dropped.slice(0, index + 1)));

/** What was dropped after the rail may leave a row for it. */
const withRail = (step: Step): Step => ({...step, hasRail: true});

/** Without what is not the screen's own. */
export const bare: Step = {...everything, hasRail: false, hasReceipts: false, intro: 'none', margin: 0, gap: 0};

/**
 * Shares out the rows of a screen: as much as fits of what is around what it needs, dropped step by step, so that no row
 * stays free while something is missing.
 *
 * @param intro what stands above the heading besides
 */
export const useFit = (
  state: WizardState,
  heading: string,
  bindings: readonly Binding[],
  intro?: Intro,
): ((needs: Needs) => Layout) => {
  const {columns} = useSize();
  const frame = useFrameRows();
  const railRows = useRailRows(state);
  const wanted = {heading: rowsOf(heading, columns), keys: useKeyRows(bindings)};
  const receipts = receiptsOf(state).length;
  const introRows = intro === undefined ? 0 : 1 + rowsOf(intro.text, columns);
  const around = (step: Step, parts: number) =>
    (step.hasRail ? railRows : 0) +
    (step.hasReceipts && receipts > 0 ? receipts + 1 : 0) +
    (step.intro === 'none' ? 0 : introRows) +
    (step.intro === 'all' ? (intro?.found.length ?? 0) : 0) +
    2 * step.margin +
    parts * step.gap;
  return ({rows, parts}) => {
    const own = frame - wanted.heading - wanted.keys;
    const doesFit = (step: Step) => around(step, parts) + rows <= own;
    const fitting = steps.find(doesFit);
    const step = fitting === undefined ? bare : doesFit(withRail(fitting)) ? withRail(fitting) : fitting;
    const capped = fitting ? wanted : capsOf(frame, wanted, rows);
    return {
      ...step,
      fits: fitting !== undefined,
      headingRows: capped.heading,
      keyRows: capped.keys,
      room: Math.max(1, frame - capped.heading - capped.keys - around(step, parts)),
    };
  };
};

/** Where heading and keys leave less than is needed, each has a share: what is pointed at is worth more than both. */
const capsOf = (frame: number, {heading, keys}: {heading: number; keys: number}, rows: number) => {
  const forHeading = Math.min(heading, Math.floor(frame / 3));
  const left = frame - Math.min(rows, LEAST);
  const capped = heading + keys <= left ? heading : forHeading;
  return {heading: capped, keys: Math.max(0, Math.min(keys, left - capped, Math.ceil(frame / 3)))};
};

/** What is left for a screen's own at the least, in rows, before its heading and its keys are cut. */
const LEAST = 4;

/** A terminal with fewer rows than this has none for the rail. */
const LOWEST = 16;

/** The same for a screen that says little: everything, or where rows are few where it is, and next to nothing else. */
export const useUsualLayout = (): Layout => {
  const isLow = useIsLow();
  const {rows} = useSize();
  const step = isLow ? {...bare, hasRail: rows >= LOWEST} : everything;
  return {...step, fits: true, headingRows: rows, keyRows: rows, room: rows};
};
