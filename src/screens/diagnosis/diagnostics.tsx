import {Box} from 'ink';
import {useCallback, useState} from 'react';
import {type CheckVerdict, type Layer, type Verdict, verdictOn} from '../../domain/finding.ts';
import {type DiagnosisRow, diagnosisRows, type Folds, groupKey, rowAt} from '../../state/diagnosis/diagnosis-rows.ts';
import {type DiagnosisRun, type DiagnosisState, outcomesIn} from '../../state/diagnosis/diagnosis-run.ts';
import {linesOf} from '../../text.ts';
import {useCalls} from '../parts/calls.tsx';
import {type Binding, KeyHelp, KeyLine, useKeyRows, useKeys, walkBindings} from '../parts/keys.tsx';
import {useGap, useIsLow} from '../parts/layout.tsx';
import {useInterrupt, useLeave} from '../parts/leave.tsx';
import {Scrolled, useScroll} from '../parts/scroll.tsx';
import {Rest, useSize, windowOf} from '../parts/size.tsx';
import {Prose, Text} from '../parts/text.tsx';
import {color, type Glyphs, useGlyphs} from '../parts/theme.ts';
import {useFrames} from '../parts/use-frames.ts';
import {cutLines, Details, fitParts, heightOf, isCut, partsOf, partsOfGroup} from './diagnosis-details.tsx';

const signs: Readonly<Record<CheckVerdict, readonly [(glyphs: Glyphs) => string, string | undefined]>> = {
  pass: [({done}) => done, color.success],
  warning: [({warning}) => warning, color.warning],
  fail: [({failed}) => failed, color.danger],
  skipped: [({none}) => none, undefined],
};

/** The sign of a verdict in its colour; that of what has still to come where there is none. */
export function Sign({verdict}: {readonly verdict: CheckVerdict | undefined}) {
  const glyphs = useGlyphs();
  const [glyph, paint] = verdict ? signs[verdict] : [({waiting}: Glyphs) => waiting, undefined];
  return <Text {...(paint ? {color: paint} : {})}>{glyph(glyphs)}</Text>;
}

/** A layer, or one of its checks, which stand further in. */
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
  /** Left out where it would cost a row that there is none for. */
  readonly counts?: string;
  /** What it came to, or that it is not known yet; broken over rows, with room for a sign before each. */
  readonly verdict: readonly string[];
  readonly state: Verdict['state'] | undefined;
  /** Set where there is room for nothing but the verdict. */
  readonly isBare: boolean;
};

type Room = {
  readonly columns: number;
  readonly isLow: boolean;
  /** Whether something is told that needs the rows as well. */
  readonly isTold: boolean;
};

const HEADING = 'Diagnostics';

/** The counts stand at the end of a line that is no longer than is easily read. */
const WIDEST = 110;
const GAP = 3;

/** A sign and a space. */
const SIGN = 2;

/** What stands above the list; where there are few rows, only what a person came for. */
export const titleOf = (state: DiagnosisState, {columns, isLow, isTold}: Room): TitleText => {
  const outcomes = outcomesIn(state);
  const count = (verdict: CheckVerdict) => outcomes.filter(one => one.verdict === verdict).length;
  const {context, controlPlaneUrl} = state.subject;
  const name = context?.name ?? new URL(controlPlaneUrl).host;
  const counts = `${count('pass')} pass ${count('warning')} warn ${count('fail')} fail ${count('skipped')} skipped`;
  const {verdict} = state;
  const sentence = verdict?.sentence ?? `Checking, ${state.checks.length - outcomes.length} to come`;
  const isBeside = isOneRow(name, counts, columns);
  return {
    ...{name, state: verdict?.state, isBare: isLow && isTold},
    ...(isLow && !isBeside ? {} : {counts}),
    verdict: linesOf(sentence, columns - MARGIN - SIGN),
  };
};

const isOneRow = (name: string, counts: string, columns: number): boolean =>
  HEADING.length + GAP + name.length + GAP + counts.length <= Math.min(columns, WIDEST) - MARGIN;

/** How many rows the title takes, with so many between its parts. */
export const rowsOfTitle = ({name, counts, verdict, isBare}: TitleText, columns: number, gap: number): number => {
  if (isBare) return verdict.length;
  return (counts === undefined || isOneRow(name, counts, columns) ? 1 : 2) + gap + verdict.length;
};

const signOf = {works: 'pass', warnings: 'warning', incomplete: 'skipped', broken: 'fail'} as const;

/** What is looked at, and the one verdict on it. */
export function Title({
  title: {name, counts, verdict, state, isBare},
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
        <Prose bold>{verdict.join('\n')}</Prose>
      </Box>
    </Box>
  );
}

type Props = {
  readonly run: DiagnosisRun;
  /** Where a report is saved. */
  readonly reportPath: string;
  /** What each fix will do, as a sentence. */
  readonly fixDescriptions: Readonly<Record<string, string>>;
};

/** The rows that the list has in any terminal: arrows that move something unseen are of no use. */
const LEAST_LIST = 3;

/** And while something is told, which is gone with the next arrow: where it is, and how much there is besides. */
const LIST_BESIDE_NOTICE = 2;

/** The row below the frame: one that fills the terminal cannot be drawn over, only anew. */
const SPARE = 1;

/** The margin of everything, in columns. */
const MARGIN = 2;

/** How many rows a page key passes. */
const PAGE = 10;

/** Beside the list there is room for the details from this width on. */
const WIDE = 90;

/** The verdict, every check by its layer with what came of it, and the details of the one that is pointed at. */
export function Diagnostics({run, reportPath, fixDescriptions}: Props) {
  const urgencyOf = useCallback(() => (run.state().isRunning ? 'frame' : 'now'), [run]);
  const state = useFrames(run, urgencyOf);
  const exit = useLeave();
  const [chosen, setChosen] = useState<{readonly key: string; readonly layer: Layer}>();
  const [folds, setFolds] = useState<Folds>(new Map());
  const [asked, setAsked] = useState(false);
  const [over, setOver] = useState<'calls' | 'keys' | 'details'>();
  // What was said last is in the way once the person walks on.
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
  const {fix} = outcome ?? {};
  const apply = () => {
    if (!fix) return;
    setAsked(false);
    setHeard(undefined);
    if (fix === 'sign-in') exit('sign-in');
    else run.fix(fix).catch(ignoreEnd);
  };
  const close: Binding = {keys: ['esc', 'e', '?', 'enter'], label: 'close', run: () => setOver(undefined)};
  const save = () => {
    setHeard(undefined);
    void run.trySave(reportPath);
  };
  const details: Binding = {keys: ['enter'], label: 'details', run: () => setOver('details')};
  const isOpen = row?.kind === 'group' ? row.isOpen : undefined;
  // As in any tree: into a layer to the right, out of it to the left.
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
          {keys: ['r'], label: 'run again', run: () => void run.run().catch(ignoreEnd)},
          ...more,
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
  // Whether all of it fits is known only with the keys, so these are taken as if it did not.
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
  const others = over === 'calls' ? [...calls.bindings, close] : [close];
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

/** The check that the verdict goes by: the pointer begins there. */
const firstTrouble = (state: DiagnosisState): string | undefined => verdictOn(outcomesIn(state), () => undefined).check;

/** Only leaving the screen ends a run early, and the command goes on to its own end after that. */
const ignoreEnd = () => undefined;
