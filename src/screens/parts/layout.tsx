import {Box} from 'ink';
import type {Header, Intro} from '../../state/view/view.ts';
import {type Binding, useKeyRows} from './keys.tsx';
import {Text} from './safe-text.tsx';
import {useFrameRows, useSize} from './size.tsx';
import {useGlyphs} from './theme.ts';

/** The width from which the stages stand side by side, in columns. It leaves the last of eighty columns free. */
const WIDE = 79;

const WIDEST = 100;
const GAP = 3;
const STAGE_GAP = 2;

/** Returns the number of rows of the rail: one if the title and the stages stand side by side. */
export const useRailRows = ({title, stages}: Header): number => {
  const {columns} = useSize();
  const wide = stages.reduce((sum, {name}) => sum + name.length + 2 + STAGE_GAP, -STAGE_GAP);
  const current = stages.find(({status}) => status === 'current');
  const narrow = current ? `1 of ${stages.length}: ${current.name}`.length : 0;
  const needed = title.length + GAP + (columns >= WIDE ? wide : narrow);
  return needed <= Math.min(columns, WIDEST) - 2 ? 1 : 2;
};

/** Shows the title and the position in the wizard: all stages if there is room, else the current one and its number. */
export function Rail({header: {title, stages}}: {readonly header: Header}) {
  const {columns} = useSize();
  const glyphs = useGlyphs();
  const at = stages.findIndex(({status}) => status === 'current');
  const sign = {done: glyphs.done, current: glyphs.current, 'to-come': glyphs.waiting};
  const current = stages[at];
  return (
    <Box paddingLeft={2} columnGap={GAP} flexWrap="wrap" maxWidth={WIDEST}>
      <Box flexGrow={1} flexShrink={0}>
        <Text bold>{title}</Text>
      </Box>
      {columns >= WIDE ? (
        <Box columnGap={STAGE_GAP} flexShrink={0}>
          {stages.map(({name, status}) => (
            <Text key={name} bold={status === 'current'}>
              {sign[status]} {name}
            </Text>
          ))}
        </Box>
      ) : current ? (
        <Text bold>
          {at + 1} of {stages.length}: {current.name}
        </Text>
      ) : null}
    </Box>
  );
}

/** A terminal with fewer rows than this is low. */
const LOW = 22;

/** Whether the terminal has few rows, which are then for the content rather than for what surrounds it. */
export const useIsLow = (): boolean => useSize().rows < LOW;

/** Returns the number of empty rows between the parts of a screen. */
export const useGap = (): number => (useIsLow() ? 0 : 1);

/** Returns the number of rows of a text beside the margin, wrapped between words. Longer words take several rows. */
export const rowsOf = (text: string, columns: number): number =>
  text.split('\n').reduce((rows, line) => rows + rowsOfLine(line, columns), 0);

const rowsOfLine = (text: string, columns: number): number => {
  const width = Math.max(1, columns - 2);
  const [first = '', ...words] = text.split(' ');
  let rows = Math.max(1, Math.ceil(first.length / width));
  let used = first.length - (rows - 1) * width;
  for (const {length} of words) {
    // Ink keeps the blank before a word. After a full row it begins the next one, and takes a column there.
    if (used === width) [rows, used] = [rows + 1, 0];
    used += 1;
    if (length <= width - used) used += length;
    else if (length <= width) [rows, used] = [rows + 1, length];
    else {
      // A word that is longer than a row begins where it then takes the fewer rows.
      const here = 1 + Math.floor((length - (width - used) - 1) / width);
      const below = Math.floor((length - 1) / width);
      const more = below < here ? below + 1 : here;
      used = below < here ? length - below * width : used + length - here * width;
      rows += more;
    }
  }
  return rows;
};

/** The content between heading and keys: its rows without gaps, and the number of groups with a gap before them. */
export type Needs = {readonly rows: number; readonly parts: number};

/** How a screen shares out the terminal's rows. */
export type ScreenLayout = {
  /** True if there is room for the content. */
  readonly fits: boolean;
  readonly hasRail: boolean;
  readonly hasReceipts: boolean;
  /** How much of the introduction is shown: the sentence and what was found, only the sentence, or nothing. */
  readonly intro: 'all' | 'sentence' | 'none';
  /** The empty rows above the content, and below it. */
  readonly margin: 0 | 1;
  /** The empty rows between its groups. */
  readonly gap: 0 | 1;
  /** The most rows that the heading and the keys may take. */
  readonly headingRows: number;
  readonly keyRows: number;
  /** The rows that are left for the content, without gaps. */
  readonly room: number;
};

type Step = Pick<ScreenLayout, 'hasRail' | 'hasReceipts' | 'intro' | 'margin' | 'gap'>;

const everything: Step = {hasRail: true, hasReceipts: true, intro: 'all', margin: 1, gap: 1};

/**
 * The parts that a screen leaves out, in this order, if rows are few: first those that are shown elsewhere, then those
 * that only look better.
 */
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

/** Leaving out more than the rail may free a row for the rail again. */
const withRail = (step: Step): Step => ({...step, hasRail: true});

/** The layout with nothing but the screen's own content. */
export const bare: Step = {...everything, hasRail: false, hasReceipts: false, intro: 'none', margin: 0, gap: 0};

/**
 * Shares out the rows of a screen. The parts around the content are left out step by step until the content fits, so
 * that no row stays empty while something is missing.
 *
 * @param intro the introduction above the heading
 * @param above the rows that have to stay visible above the screen
 */
export const useFit = (
  header: Header,
  heading: string,
  bindings: readonly Binding[],
  intro?: Intro,
  above = 0,
): ((needs: Needs) => ScreenLayout) => {
  const {columns} = useSize();
  const frame = Math.max(1, useFrameRows() - above);
  const railRows = useRailRows(header);
  const wanted = {heading: rowsOf(heading, columns), keys: useKeyRows(bindings)};
  const receipts = header.receipts.length;
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

/** Caps the heading and the keys if they leave too few rows: the selected row is more important than both. */
const capsOf = (frame: number, {heading, keys}: {heading: number; keys: number}, rows: number) => {
  const forHeading = Math.min(heading, Math.floor(frame / 3));
  const left = frame - Math.min(rows, LEAST);
  const capped = heading + keys <= left ? heading : forHeading;
  return {heading: capped, keys: Math.max(0, Math.min(keys, left - capped, Math.ceil(frame / 3)))};
};

/** The rows that the content keeps at least before the heading and the keys are cut. */
const LEAST = 4;

/** A terminal with fewer rows than this has none for the rail. */
const LOWEST = 16;

/** Returns the layout of a screen with little content: everything, or in a low terminal at most the rail. */
export const useUsualLayout = (): ScreenLayout => {
  const isLow = useIsLow();
  const {rows} = useSize();
  const step = isLow ? {...bare, hasRail: rows >= LOWEST} : everything;
  return {...step, fits: true, headingRows: rows, keyRows: rows, room: rows};
};
