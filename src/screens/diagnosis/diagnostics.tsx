import {Box} from 'ink';
import {useCallback, useState} from 'react';
import {
  type CheckVerdict,
  isSignInFix,
  type Layer,
  placeOf,
  type SignInFix,
  type Verdict,
  verdictOn,
} from '../../domain/finding.ts';
import {linesToCopyIn} from '../../errors/describe-error.ts';
import {type DiagnosisRow, diagnosisRows, type Folds, groupKey, rowAt} from '../../state/diagnosis/diagnosis-rows.ts';
import {type DiagnosisRun, type DiagnosisState, outcomesIn} from '../../state/diagnosis/diagnosis-run.ts';
import {linesOf} from '../../text.ts';
import {usePrintBinding} from '../parts/blocks.tsx';
import {useCalls} from '../parts/calls.tsx';
import {type Binding, KeyHelp, KeyLine, useKeyRows, useKeys, walkBindings} from '../parts/keys.tsx';
import {useGap, useIsLow} from '../parts/layout.tsx';
import {useInterrupt, useLeave} from '../parts/leave.tsx';
import {Prose, Text} from '../parts/safe-text.tsx';
import {Scrolled, useScroll} from '../parts/scroll.tsx';
import {Rest, useSize, windowOf} from '../parts/size.tsx';
import {color, type Glyphs, useGlyphs} from '../parts/theme.ts';
import {useFrames} from '../parts/use-frames.ts';
import {cutLines, Details, fitParts, heightOf, isCut, partsOf, partsOfGroup} from './diagnosis-details.tsx';

const signs: Readonly<Record<CheckVerdict, readonly [(glyphs: Glyphs) => string, string | undefined]>> = {
  pass: [({done}) => done, color.success],
  warning: [({warning}) => warning, color.warning],
  fail: [({failed}) => failed, color.danger],
  skipped: [({none}) => none, undefined],
};

/** Shows the sign of a verdict in its colour; without a verdict, the sign of a check that is still to come. */
export function Sign({verdict}: {readonly verdict: CheckVerdict | undefined}) {
  const glyphs = useGlyphs();
  const [glyph, paint] = verdict ? signs[verdict] : [({waiting}: Glyphs) => waiting, undefined];
  return <Text {...(paint ? {color: paint} : {})}>{glyph(glyphs)}</Text>;
}

/** Shows a layer, or one of its checks, indented. */
export function Line({row, isChosen}: {readonly row: DiagnosisRow; readonly isChosen: boolean}) {
  const {pointer} = useGlyphs();
  const isGroup = row.kind === 'group';
  const verdict = isGroup ? row.verdict : row.outcome?.verdict;
  return (
    <Text wrap="truncate" bold={isChosen}>
      {isGroup ? '' : '  '}
      {isChosen ? pointer : ' '} <Sign verdict={verdict} /> {isGroup ? row.name : row.title}
      {isGroup ? <Text> {row.isOpen && row.verdict ? row.troubles : row.summary}</Text> : null}
    </Text>
  );
}

export type TitleText = {
  readonly name: string;
  /** Absent if it would cost a row that is not available. */
  readonly counts?: string;
  /** The verdict, or the number of checks still to come; wrapped into lines that leave room for a sign. */
  readonly verdict: readonly string[];
  /** The layer and the check where the verdict was reached, in one line. */
  readonly place?: string;
  readonly state: Verdict['state'] | undefined;
  /** True if there is room for the verdict only. */
  readonly isBare: boolean;
};

type Room = {
  readonly columns: number;
  readonly isLow: boolean;
  /** True if a notice needs rows too. */
  readonly isTold: boolean;
};

const HEADING = 'Diagnostics';

/** The counts stand at the end of the title's line. This is the widest line that is still easy to read, in columns. */
const WIDEST = 110;
const GAP = 3;

/** The width of a sign with its blank, in columns. */
const SIGN = 2;

/** Returns the title above the list. If there are few rows, it has only the essential parts. */
export const titleOf = (state: DiagnosisState, {columns, isLow, isTold}: Room): TitleText => {
  const outcomes = outcomesIn(state);
  const count = (verdict: CheckVerdict) => outcomes.filter(one => one.verdict === verdict).length;
  const {context, controlPlaneUrl} = state.subject;
  const name = context?.name ?? new URL(controlPlaneUrl).host;
  const counts = `${count('pass')} pass ${count('warning')} warn ${count('fail')} fail ${count('skipped')} skipped`;
  const {verdict} = state;
  const place = verdict && placeOf(verdict, outcomes);
  const sentence = verdict?.sentence ?? `Checking, ${state.checks.length - outcomes.length} to come`;
  const isBeside = isOneRow(name, counts, columns);
  return {
    ...{name, state: verdict?.state, isBare: isLow && isTold},
    ...(isLow && !isBeside ? {} : {counts}),
    ...(place === undefined || isLow ? {} : {place}),
    verdict: linesOf(sentence, columns - MARGIN - SIGN),
  };
};

const isOneRow = (name: string, counts: string, columns: number): boolean =>
  HEADING.length + GAP + name.length + GAP + counts.length <= Math.min(columns, WIDEST) - MARGIN;

/** Returns the number of rows that the title takes, with `gap` rows between its parts. */
export const rowsOfTitle = (
  {name, counts, verdict, place, isBare}: TitleText,
  columns: number,
  gap: number,
): number => {
  if (isBare) return verdict.length;
  const placed = place === undefined ? 0 : 1;
  return (counts === undefined || isOneRow(name, counts, columns) ? 1 : 2) + gap + verdict.length + placed;
};

const signOf = {works: 'pass', warnings: 'warning', incomplete: 'skipped', broken: 'fail'} as const;

/** Shows what is diagnosed, and the overall verdict. */
export function Title({
  title: {name, counts, verdict, place, state, isBare},
  gap,
}: {
  readonly title: TitleText;
  readonly gap: number;
}) {
  return (
    <Box flexDirection="column" paddingLeft={MARGIN} rowGap={gap}>
      {isBare ? null : (
        <Box columnGap={GAP} flexWrap="wrap" maxWidth={WIDEST - MARGIN}>
          <Box flexGrow={1}>
            <Text wrap="truncate">
              <Text bold>{HEADING}</Text>
              {' '.repeat(GAP)}
              {name}
            </Text>
          </Box>
          {counts === undefined ? null : <Text wrap="truncate">{counts}</Text>}
        </Box>
      )}
      <Box columnGap={1}>
        <Sign verdict={state && signOf[state]} />
        <Box flexDirection="column">
          <Prose bold>{verdict.join('\n')}</Prose>
          {place === undefined ? null : (
            <Text dimColor wrap="truncate">
              {place}
            </Text>
          )}
        </Box>
      </Box>
    </Box>
  );
}

type Props = {
  readonly run: DiagnosisRun;
  /** The path where a report is saved. */
  readonly reportPath: string;
  /** The effect of each fix, as a sentence. */
  readonly fixDescriptions: Readonly<Record<string, string>>;
};

/** The fewest rows of the list: arrow keys are of no use if the row that they reach is out of sight. */
const LEAST_LIST = 3;

/**
 * The fewest rows of the list while a notice is shown: the selected row, and the count of the others. The next arrow
 * key removes the notice.
 */
const LIST_BESIDE_NOTICE = 2;

/** The row below the frame. A frame that fills the terminal cannot be redrawn in place. */
const SPARE = 1;

/** The left margin of everything, in columns. */
const MARGIN = 2;

/** The number of rows that a page key moves. */
const PAGE = 10;

/** The width from which the details stand beside the list, in columns. */
const WIDE = 90;

/** Shows the verdict, every check by layer with its outcome, and the details of the selected row. */
export function Diagnostics({run, reportPath, fixDescriptions}: Props) {
  const urgencyOf = useCallback(() => (run.state().isRunning ? 'frame' : 'now'), [run]);
  const state = useFrames(run, urgencyOf);
  const exit = useLeave();
  const [chosen, setChosen] = useState<{readonly key: string; readonly layer: Layer}>();
  const [folds, setFolds] = useState<Folds>(new Map());
  const [asked, setAsked] = useState(false);
  const [over, setOver] = useState<'calls' | 'keys' | 'details'>();
  // A notice disappears once the person moves on.
  const [heard, setHeard] = useState<string>();
  const {columns, rows} = useSize();
  useInterrupt(() => exit('cancelled'));

  const list = diagnosisRows(state, folds);
  const at = rowAt(list, chosen?.key ?? firstTrouble(state), chosen?.layer);
  const row = list[at];
  const outcome = row?.kind === 'check' ? row.outcome : undefined;
  const point = (key: string | undefined, layer: Layer | undefined) => {
    setAsked(false);
    setHeard(state.notice);
    if (key !== undefined && layer !== undefined) setChosen({key, layer});
  };
  const to = (index: number) => point(list[index]?.key, list[index]?.layer);
  const fold = (isOpen: boolean) => {
    if (!row) return;
    setFolds(new Map([...folds, [row.layer, isOpen]]));
    point(groupKey(row.layer), row.layer);
  };
  const {fix, remedy} = outcome ?? {};
  const print = usePrintBinding(remedy === undefined ? undefined : linesToCopyIn(remedy));
  const signIn = async (fix: SignInFix) => {
    if (!(await run.runIfSignInChanged())) exit(fix);
  };
  const apply = () => {
    if (!fix) return;
    setAsked(false);
    setHeard(undefined);
    if (isSignInFix(fix)) signIn(fix).catch(ignoreEnd);
    else run.fix(fix).catch(ignoreEnd);
  };
  const close: Binding = {keys: ['esc', 'e', '?', 'enter'], label: 'close', run: () => setOver(undefined)};
  const save = () => {
    setHeard(undefined);
    void run.trySave(reportPath);
  };
  const details: Binding = {keys: ['enter'], label: 'details', run: () => setOver('details')};
  const isOpen = row?.kind === 'group' ? row.isOpen : undefined;
  // As in any tree: right opens a layer, left closes it.
  const foldBindings: readonly Binding[] = [
    ...(isOpen === undefined
      ? []
      : [{keys: ['enter', ' '], label: isOpen ? 'collapse' : 'expand', run: () => fold(!isOpen)}]),
    {
      ...{keys: ['right', 'l'], name: 'right, left', label: 'expand, collapse', isQuiet: true},
      run: () => (isOpen ? to(at + 1) : isOpen === false && fold(true)),
    },
    {keys: ['left', 'h'], run: () => isOpen !== false && fold(false)},
  ];
  const bindingsWith = (...more: readonly Binding[]): readonly Binding[] =>
    asked
      ? [
          {keys: ['enter', 'f'], label: 'do it', run: apply},
          {keys: ['esc'], label: 'leave it', run: () => setAsked(false)},
        ]
      : [
          ...walkBindings({count: list.length, at, page: PAGE, to, label: 'check'}),
          ...foldBindings,
          ...(fix ? [{keys: ['f'], label: 'fix', run: () => setAsked(true)}] : []),
          ...(state.isRunning ? [] : [{keys: ['r'], label: 'run again', run: () => void run.run().catch(ignoreEnd)}]),
          ...more,
          ...print,
          {keys: ['s'], label: 'save report', run: save},
          ...(state.calls.length > 0 ? [{keys: ['e'], label: 'calls', run: () => setOver('calls')}] : []),
          {keys: ['?'], label: 'keys', run: () => setOver('keys')},
          {keys: ['esc', 'q'], label: 'close', run: () => exit('done', true)},
        ];

  const gap = useGap();
  const isWide = columns >= WIDE;
  const width = isWide ? columns - Math.floor(columns / 2) - MARGIN : columns - MARGIN;
  const partsIn = (width: number) => {
    if (row?.kind === 'group') return partsOfGroup(row, width);
    return partsOf({title: row?.title ?? '', outcome, says: asked && fix ? fixDescriptions[fix] : undefined}, width);
  };
  const parts = partsIn(width);
  // Whether everything fits depends on the rows of the keys, so these are counted with the key for details.
  const keyRows = useKeyRows(bindingsWith(details).filter(({keys: [key]}) => key !== 'e' && key !== '?'));
  const isTold = state.notice !== undefined && state.notice !== heard;
  const title = titleOf(state, {columns, isLow: useIsLow(), isTold});
  const room = rows - SPARE - rowsOfTitle(title, columns, gap) - keyRows - 2 * gap;
  const notice =
    !isTold || state.notice === undefined
      ? []
      : cutLines(linesOf(state.notice, columns - MARGIN), Math.max(1, room - LIST_BESIDE_NOTICE - gap));
  const body = notice.length > 0 ? room - notice.length - gap : room;
  const listRoom = isWide ? body : body - heightOf(parts, gap) - gap;
  const shown = windowOf(list.length, at, Math.max(notice.length > 0 ? LIST_BESIDE_NOTICE : LEAST_LIST, listRoom));
  const listRows = shown.shown + (shown.shown < list.length ? 1 : 0);
  const fitting = fitParts(parts, isWide ? body : body - listRows - gap, gap);
  const bindings = bindingsWith(...(isCut(parts, fitting) ? [details] : []));
  const calls = useCalls(state.calls);
  const others = over === 'calls' ? [...calls.bindings, close] : over === 'details' ? [...print, close] : [close];
  const scroll = useScroll({of: over, others});
  const above = [...scroll.bindings, ...others];
  useKeys(over ? above : bindings);

  if (over) {
    return (
      <Box flexDirection="column" rowGap={gap}>
        <Scrolled scroll={scroll}>
          {over === 'calls' ? calls.view : null}
          {over === 'keys' ? <KeyHelp bindings={bindings} /> : null}
          {over === 'details' ? (
            <Box paddingLeft={MARGIN}>
              <Details parts={partsIn(columns - MARGIN)} gap={gap} />
            </Box>
          ) : null}
        </Scrolled>
        <KeyLine bindings={above} />
      </Box>
    );
  }

  return (
    <Box flexDirection="column" rowGap={gap}>
      <Title title={title} gap={gap} />
      <Box flexDirection={isWide ? 'row' : 'column'} columnGap={2} rowGap={gap}>
        <Box
          flexDirection="column"
          paddingLeft={MARGIN}
          width={isWide ? Math.floor(columns / 2) - 2 : '100%'}
          flexShrink={0}
        >
          {list.slice(shown.top, shown.top + shown.shown).map((one, index) => (
            <Line key={one.key} row={one} isChosen={shown.top + index === at} />
          ))}
          <Rest window={shown} />
        </Box>
        {fitting.length > 0 ? (
          <Box flexDirection="column" paddingLeft={MARGIN} flexGrow={1} flexShrink={1}>
            <Details parts={fitting} gap={gap} />
          </Box>
        ) : null}
      </Box>
      {notice.length > 0 ? (
        <Box paddingLeft={MARGIN}>
          <Prose>{notice.join('\n')}</Prose>
        </Box>
      ) : null}
      <KeyLine bindings={bindings} />
    </Box>
  );
}

/** Returns the check that decides the verdict: it is selected first. */
const firstTrouble = (state: DiagnosisState): string | undefined => verdictOn(outcomesIn(state)).check;

/** A run ends early only if the person leaves the screen; the command then handles its end. */
const ignoreEnd = () => undefined;
