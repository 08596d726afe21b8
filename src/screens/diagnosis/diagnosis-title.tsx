import {Box} from 'ink';
import type {CheckVerdict, Verdict} from '../../domain/finding.ts';
import {type DiagnosisState, outcomesIn} from '../../state/diagnosis/diagnosis-run.ts';
import {linesOf} from '../../text.ts';
import {Prose} from '../parts/prose.tsx';
import {Text} from '../parts/text.tsx';
import {Sign} from './diagnosis-list.tsx';

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
const MARGIN = 2;

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
