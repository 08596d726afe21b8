import {Box, Text, useInput} from 'ink';
import {useRef, useState, useSyncExternalStore} from 'react';
import type {Outcome, Verdict} from '../flows/diagnosis/check.ts';
import {type DiagnosisRun, type DiagnosisState, outcomesIn} from '../state/diagnosis-run.ts';
import {useCalls} from './calls.tsx';
import {KeyHelp} from './key-help.tsx';
import {type Binding, KeyLine, useKeys} from './keys.tsx';
import {useLeave} from './leave.tsx';
import {Prose} from './prose.tsx';
import {useSize} from './size.tsx';
import {color, type Glyphs, useGlyphs} from './theme.ts';
import {Rest, windowOf} from './window.tsx';

type Props = {
  readonly run: DiagnosisRun;
  /** Where a report is saved. */
  readonly reportPath: string;
  /** What each fix will do, as a sentence. */
  readonly fixSays: Readonly<Record<string, string>>;
};

/** What the title, the notice and the keys take, in rows. */
const AROUND = 8;

/** Beside the list there is room for the details from this width on. */
const WIDE = 90;

/** Every check with what came of it, and the details of the one that is pointed at. */
export function Diagnostics({run, reportPath, fixSays}: Props) {
  const state = useSyncExternalStore(run.subscribe, run.state);
  const exit = useLeave();
  // Keys may come faster than frames: what counts is what is chosen, not what was drawn last.
  const chosen = useRef<string>(undefined);
  const [, redraw] = useState<string>();
  const [asked, setAsked] = useState(false);
  const [over, setOver] = useState<'calls' | 'keys'>();
  const {columns, rows} = useSize();
  useInput((input, key) => {
    if (key.ctrl && input === 'c') exit('cancelled');
  });

  const ids = state.checks.map(({id}) => id);
  const place = () => Math.max(0, ids.indexOf(chosen.current ?? firstTrouble(state) ?? ''));
  const at = place();
  const outcome = state.outcomes[ids[at] ?? ''];
  const move = (by: number) => {
    setAsked(false);
    chosen.current = ids[(place() + by + ids.length) % ids.length];
    redraw(chosen.current);
  };
  const {fix} = outcome ?? {};
  const apply = () => {
    if (!fix) return;
    setAsked(false);
    if (fix === 'sign-in') exit('sign-in');
    else void run.fix(fix);
  };
  const close: Binding = {keys: ['esc', 'e', '?', 'enter'], label: 'close', run: () => setOver(undefined)};
  const bindings: readonly Binding[] = asked
    ? [
        {keys: ['enter', 'f'], label: 'do it', run: apply},
        {keys: ['esc'], label: 'leave it', run: () => setAsked(false)},
      ]
    : [
        {keys: ['up', 'k'], label: 'check', run: () => move(-1)},
        {keys: ['down', 'j'], run: () => move(1)},
        ...(fix ? [{keys: ['f'], label: 'fix', run: () => setAsked(true)}] : []),
        {keys: ['r'], label: 'run again', run: () => void run.run()},
        {keys: ['s'], label: 'save report', run: () => void run.trySave(reportPath)},
        ...(state.calls.length > 0 ? [{keys: ['e'], label: 'calls', run: () => setOver('calls')}] : []),
        {keys: ['?'], label: 'keys', run: () => setOver('keys')},
        {keys: ['esc', 'q'], label: 'close', run: () => exit('done')},
      ];
  const calls = useCalls(state.calls);
  const above = over === 'calls' ? [...calls.bindings, close] : [close];
  useKeys(over ? above : bindings);

  if (over) {
    return (
      <Box flexDirection="column" rowGap={1}>
        {over === 'calls' ? calls.view : <KeyHelp bindings={bindings} />}
        <KeyLine bindings={above} />
      </Box>
    );
  }

  const isWide = columns >= WIDE;
  const room = Math.max(3, isWide ? rows - AROUND : Math.floor((rows - AROUND) / 2));
  const shown = windowOf(ids.length, at, room);
  return (
    <Box flexDirection="column" rowGap={1}>
      <Title state={state} />
      <Box flexDirection={isWide ? 'row' : 'column'} columnGap={2} rowGap={1}>
        <Box
          flexDirection="column"
          paddingLeft={2}
          width={isWide ? Math.floor(columns / 2) - 2 : '100%'}
          flexShrink={0}
        >
          {state.checks.slice(shown.top, shown.top + shown.shown).map(({id, title}, index) => (
            <Line key={id} title={title} outcome={state.outcomes[id]} isChosen={shown.top + index === at} />
          ))}
          <Rest window={shown} />
        </Box>
        <Box flexDirection="column" paddingLeft={2} flexGrow={1} flexShrink={1}>
          <Details
            outcome={outcome}
            title={state.checks[at]?.title ?? ''}
            {...(asked && fix ? {says: fixSays[fix] ?? ''} : {})}
          />
        </Box>
      </Box>
      {state.notice ? (
        <Box paddingLeft={2}>
          <Text wrap="hard">{state.notice}</Text>
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

function Title({state}: {readonly state: DiagnosisState}) {
  const outcomes = outcomesIn(state);
  const count = (verdict: Verdict) => outcomes.filter(one => one.verdict === verdict).length;
  const {context, controlPlaneUrl} = state.subject;
  return (
    <Box paddingLeft={2} columnGap={3} flexWrap="wrap" maxWidth={110}>
      <Box flexGrow={1}>
        <Text bold>Diagnostics</Text>
        <Text>{`   ${context?.name ?? new URL(controlPlaneUrl).host}`}</Text>
      </Box>
      <Text dimColor>
        {count('pass')} pass {count('warning')} warn {count('fail')} fail {count('skipped')} skipped
        {state.isRunning ? `  ${state.checks.length - outcomes.length} to come` : ''}
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

type DetailsProps = {readonly outcome: Outcome | undefined; readonly title: string; readonly says?: string};

function Details({outcome, title, says}: DetailsProps) {
  if (!outcome) return <Text dimColor>{title}: not yet</Text>;
  const {saw, sentence, remedy, ms, verdict} = outcome;
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text bold>
        {title}: {verdict}
      </Text>
      {sentence ? <Prose>{sentence}</Prose> : null}
      {verdict === 'fail' ? null : (
        <Prose dimColor>
          {saw}
          {verdict === 'skipped' ? '' : `, ${ms} ms`}
        </Prose>
      )}
      {remedy ? (
        <Prose>
          <Text dimColor>What to do: </Text>
          {remedy}
        </Prose>
      ) : null}
      {says === undefined ? null : <Prose color={color.accent}>{says} Enter does it.</Prose>}
    </Box>
  );
}
