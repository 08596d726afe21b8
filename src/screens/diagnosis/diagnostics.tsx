import {Box} from 'ink';
import {useState, useSyncExternalStore} from 'react';
import type {Outcome, Verdict} from '../../domain/finding.ts';
import {type DiagnosisRun, type DiagnosisState, outcomesIn} from '../../state/diagnosis/diagnosis-run.ts';
import {useCalls} from '../parts/calls.tsx';
import {useInterrupt} from '../parts/input/use-interrupt.ts';
import {KeyHelp} from '../parts/key-help.tsx';
import {type Binding, KeyLine, useKeyRows, useKeys} from '../parts/keys.tsx';
import {useGap} from '../parts/layout/room.ts';
import {useSize} from '../parts/layout/size.tsx';
import {Rest, windowOf} from '../parts/layout/window.tsx';
import {walkBindings} from '../parts/list/walk.ts';
import {Prose} from '../parts/prose.tsx';
import {Text} from '../parts/text.tsx';
import {color, type Glyphs, useGlyphs} from '../parts/theme.ts';
import {useLeave} from '../wizard/leave.tsx';
import {cutLines, Details, fitParts, heightOf, isCut, linesOf, partsOf} from './diagnosis-details.tsx';

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

/** How many checks a page key passes. */
const PAGE = 10;

/** Beside the list there is room for the details from this width on. */
const WIDE = 90;

/** Every check with what came of it, and the details of the one that is pointed at. */
export function Diagnostics({run, reportPath, fixDescriptions}: Props) {
  const state = useSyncExternalStore(run.subscribe, run.state);
  const exit = useLeave();
  const [chosen, setChosen] = useState<string>();
  const [asked, setAsked] = useState(false);
  const [over, setOver] = useState<'calls' | 'keys' | 'details'>();
  // What was said last is in the way once the person walks on.
  const [heard, setHeard] = useState<string>();
  const {columns, rows} = useSize();
  useInterrupt(() => exit('cancelled'));

  const ids = state.checks.map(({id}) => id);
  const at = Math.max(0, ids.indexOf(chosen ?? firstTrouble(state) ?? ''));
  const outcome = state.outcomes[ids[at] ?? ''];
  const to = (index: number) => {
    setAsked(false);
    setHeard(state.notice);
    setChosen(ids[index]);
  };
  const {fix} = outcome ?? {};
  const apply = () => {
    if (!fix) return;
    setAsked(false);
    setHeard(undefined);
    if (fix === 'sign-in') exit('sign-in');
    else void run.fix(fix);
  };
  const close: Binding = {keys: ['esc', 'e', '?', 'enter'], label: 'close', run: () => setOver(undefined)};
  const save = () => {
    setHeard(undefined);
    void run.trySave(reportPath);
  };
  const details: Binding = {keys: ['enter'], label: 'details', run: () => setOver('details')};
  const bindingsWith = (...more: readonly Binding[]): readonly Binding[] =>
    asked
      ? [
          {keys: ['enter', 'f'], label: 'do it', run: apply},
          {keys: ['esc'], label: 'leave it', run: () => setAsked(false)},
        ]
      : [
          ...walkBindings({count: ids.length, at, page: PAGE, to, label: 'check'}),
          ...(fix ? [{keys: ['f'], label: 'fix', run: () => setAsked(true)}] : []),
          {keys: ['r'], label: 'run again', run: () => void run.run()},
          ...more,
          {keys: ['s'], label: 'save report', run: save},
          ...(state.calls.length > 0 ? [{keys: ['e'], label: 'calls', run: () => setOver('calls')}] : []),
          {keys: ['?'], label: 'keys', run: () => setOver('keys')},
          {keys: ['esc', 'q'], label: 'close', run: () => exit('done', true)},
        ];

  const gap = useGap();
  const isWide = columns >= WIDE;
  const width = isWide ? columns - Math.floor(columns / 2) - MARGIN : columns - MARGIN;
  const about = {title: state.checks[at]?.title ?? '', outcome, says: asked && fix ? fixDescriptions[fix] : undefined};
  const parts = partsOf(about, width);
  // Whether all of it fits is known only with the keys, so these are taken as if it did not.
  const keyRows = useKeyRows(bindingsWith(details).filter(({keys: [key]}) => key !== 'e' && key !== '?'));
  const title = titleOf(state);
  const room = rows - SPARE - rowsOfTitle(title, columns) - keyRows - 2 * gap;
  const notice =
    state.notice === undefined || state.notice === heard
      ? []
      : cutLines(linesOf(state.notice, columns - MARGIN), Math.max(1, room - LIST_BESIDE_NOTICE - gap));
  const body = notice.length > 0 ? room - notice.length - gap : room;
  const listRoom = isWide ? body : body - heightOf(parts, gap) - gap;
  const shown = windowOf(ids.length, at, Math.max(notice.length > 0 ? LIST_BESIDE_NOTICE : LEAST_LIST, listRoom));
  const listRows = shown.shown + (shown.shown < ids.length ? 1 : 0);
  const fitting = fitParts(parts, isWide ? body : body - listRows - gap, gap);
  const bindings = bindingsWith(...(isCut(parts, fitting) ? [details] : []));
  const calls = useCalls(state.calls);
  const above = over === 'calls' ? [...calls.bindings, close] : [close];
  useKeys(over ? above : bindings);

  if (over) {
    return (
      <Box flexDirection="column" rowGap={1}>
        {over === 'calls' ? calls.view : null}
        {over === 'keys' ? <KeyHelp bindings={bindings} /> : null}
        {over === 'details' ? (
          <Box paddingLeft={MARGIN}>
            <Details parts={fitParts(partsOf(about, columns - MARGIN), rows - SPARE - 2, 0)} gap={0} />
          </Box>
        ) : null}
        <KeyLine bindings={above} />
      </Box>
    );
  }

  return (
    <Box flexDirection="column" rowGap={gap}>
      <Title title={title} />
      <Box flexDirection={isWide ? 'row' : 'column'} columnGap={2} rowGap={gap}>
        <Box
          flexDirection="column"
          paddingLeft={MARGIN}
          width={isWide ? Math.floor(columns / 2) - 2 : '100%'}
          flexShrink={0}
        >
          {state.checks.slice(shown.top, shown.top + shown.shown).map(({id, title}, index) => (
            <Line key={id} title={title} outcome={state.outcomes[id]} isChosen={shown.top + index === at} />
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

/** What a person came for: the first failure, else the first warning, else what could not be looked at without them. */
const firstTrouble = (state: DiagnosisState): string | undefined => {
  const outcomes = outcomesIn(state);
  const first = (wanted: Verdict) => outcomes.find(({verdict}) => verdict === wanted);
  const waiting = outcomes.find(({verdict, remedy}) => verdict === 'skipped' && remedy !== undefined);
  return (first('fail') ?? first('warning') ?? waiting)?.id;
};

type TitleText = {readonly name: string; readonly counts: string};

const titleOf = (state: DiagnosisState): TitleText => {
  const outcomes = outcomesIn(state);
  const count = (verdict: Verdict) => outcomes.filter(one => one.verdict === verdict).length;
  const {context, controlPlaneUrl} = state.subject;
  const left = state.isRunning ? `  ${state.checks.length - outcomes.length} to come` : '';
  return {
    name: context?.name ?? new URL(controlPlaneUrl).host,
    counts: `${count('pass')} pass ${count('warning')} warn ${count('fail')} fail ${count('skipped')} skipped${left}`,
  };
};

/** The counts stand at the end of a line that is no longer than is easily read. */
const WIDEST_TITLE = 110;
const TITLE_GAP = 3;
const HEADING = 'Diagnostics';

/** How many rows the title takes: its counts stand below the name where there is no room beside it. */
const rowsOfTitle = ({name, counts}: TitleText, columns: number): number => {
  const width = Math.min(columns, WIDEST_TITLE) - MARGIN;
  return HEADING.length + TITLE_GAP + name.length + TITLE_GAP + counts.length <= width ? 1 : 2;
};

function Title({title: {name, counts}}: {readonly title: TitleText}) {
  return (
    <Box paddingLeft={MARGIN} columnGap={TITLE_GAP} flexWrap="wrap" maxWidth={WIDEST_TITLE}>
      <Box flexGrow={1}>
        <Text wrap="truncate">
          <Text bold>{HEADING}</Text>
          {' '.repeat(TITLE_GAP)}
          {name}
        </Text>
      </Box>
      <Text wrap="truncate" dimColor>
        {counts}
      </Text>
    </Box>
  );
}

const signs: Readonly<Record<Verdict, readonly [(glyphs: Glyphs) => string, string | undefined]>> = {
  pass: [({done}) => done, color.success],
  warning: [({warning}) => warning, color.warning],
  fail: [({failed}) => failed, color.danger],
  skipped: [({none}) => none, undefined],
};

function Line({
  title,
  outcome,
  isChosen,
}: {
  readonly title: string;
  readonly outcome: Outcome | undefined;
  readonly isChosen: boolean;
}) {
  const glyphs = useGlyphs();
  const [glyph, paint] = outcome ? signs[outcome.verdict] : [({waiting}: Glyphs) => waiting, undefined];
  return (
    <Text
      wrap="truncate"
      {...(isChosen ? {color: color.accent} : {})}
      dimColor={!isChosen && outcome?.verdict !== 'fail'}
    >
      {isChosen ? glyphs.pointer : ' '} <Text {...(paint ? {color: paint} : {})}>{glyph(glyphs)}</Text> {title}
    </Text>
  );
}
