import {Box} from 'ink';
import {useCallback, useState} from 'react';
import type {Layer} from '../../domain/finding.ts';
import {verdictOn} from '../../domain/finding.ts';
import {diagnosisRows, type Folds, groupKey, rowAt} from '../../state/diagnosis/diagnosis-rows.ts';
import {type DiagnosisRun, type DiagnosisState, outcomesIn} from '../../state/diagnosis/diagnosis-run.ts';
import {linesOf} from '../../text.ts';
import {useCalls} from '../parts/calls.tsx';
import {useInterrupt} from '../parts/input/use-interrupt.ts';
import {KeyHelp} from '../parts/key-help.tsx';
import {type Binding, KeyLine, useKeyRows, useKeys} from '../parts/keys.tsx';
import {useGap, useIsLow} from '../parts/layout/room.ts';
import {Scrolled, useScroll} from '../parts/layout/scroll.tsx';
import {useSize} from '../parts/layout/size.tsx';
import {Rest, windowOf} from '../parts/layout/window.tsx';
import {walkBindings} from '../parts/list/walk.ts';
import {Prose} from '../parts/prose.tsx';
import {useFrames} from '../parts/use-frames.ts';
import {useLeave} from '../wizard/leave.tsx';
import {cutLines, Details, fitParts, heightOf, isCut, partsOf, partsOfGroup} from './diagnosis-details.tsx';
import {Line} from './diagnosis-list.tsx';
import {rowsOfTitle, Title, titleOf} from './diagnosis-title.tsx';

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
