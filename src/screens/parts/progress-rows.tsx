import {Box} from 'ink';
import {createContext, useContext, useEffect, useState} from 'react';
import type {ProgressRow} from '../../state/view/view.ts';
import {duration} from '../../text.ts';
import {rowsOf} from './layout.tsx';
import {Prose, Text} from './safe-text.tsx';
import {useSize} from './size.tsx';
import {color, type Glyphs, useGlyphs} from './theme.ts';

/** Whether a label and its value do not fit side by side. */
const isNarrow = (columns: number) => columns < 70;

/** Returns the number of rows when values are wrapped. */
export const progressHeight = (rows: readonly ProgressRow[], columns: number): number => {
  const beside = isNarrow(columns) ? 2 : labelWidthOf(rows);
  const below = isNarrow(columns) ? 1 : 0;
  return rows.reduce((sum, {value}) => sum + below + rowsOf(value, Math.min(columns, WIDEST) - beside), 0);
};

/** Returns the number of rows when long values are cut. */
export const progressRows = (rows: readonly ProgressRow[], columns: number): number =>
  rows.reduce((sum, {value}) => sum + (isNarrow(columns) && value !== '' ? 2 : 1), 0);

const WIDEST = 100;

const labelWidthOf = (rows: readonly ProgressRow[]) => Math.max(...rows.map(({label}) => label.length)) + 5;

type Props = {
  readonly rows: readonly ProgressRow[];
  /** The time so far, in milliseconds, for rows that wait. */
  readonly elapsed?: number | undefined;
  /** True if values are wrapped instead of cut. */
  readonly wraps?: boolean;
  /** The most rows to show. Finished ones are left out first, and a count says so. */
  readonly room?: number;
};

/** Shows what a step has done so far. */
export function ProgressRows({rows, elapsed, wraps = false, room = Number.POSITIVE_INFINITY}: Props) {
  const {columns} = useSize();
  const glyphs = useGlyphs();
  const narrow = isNarrow(columns);
  const labelWidth = labelWidthOf(rows);
  const isScant = !wraps && progressRows(rows, columns) > room;
  const shown = isScant && rows.length > room ? mostUrgent(rows, room - 1) : rows;
  const done = rows.filter(({status}) => status === 'ok').length;
  // All waiting rows have the same elapsed time, so only one shows it: each tick sends another line to the terminal.
  const waiting = rows.filter(({status}) => status === 'waiting');
  const timed = (waiting.find(({atMost}) => atMost !== undefined) ?? waiting[0])?.key;
  return (
    <Box flexDirection="column" paddingLeft={2} maxWidth={WIDEST}>
      {shown.map(row => (
        <Box key={row.key} flexDirection={narrow ? 'column' : 'row'}>
          <Box width={narrow ? '100%' : labelWidth} flexShrink={0}>
            <Sign status={row.status} glyphs={glyphs} />
            <Box flexGrow={1}>
              <Text {...(isScant ? {wrap: 'truncate'} : {})}>{row.label}</Text>
            </Box>
            {narrow ? (
              <Time row={row} elapsed={elapsed !== undefined && row.key !== timed ? 'elsewhere' : elapsed} />
            ) : null}
          </Box>
          {narrow && (row.value === '' || isScant) ? null : (
            <Box flexGrow={1} flexShrink={1} minWidth={0} paddingLeft={narrow ? 2 : 0}>
              <Value row={row} wraps={wraps} />
            </Box>
          )}
          {narrow ? null : (
            <Time row={row} elapsed={elapsed !== undefined && row.key !== timed ? 'elsewhere' : elapsed} />
          )}
        </Box>
      ))}
      {shown.length < rows.length ? (
        <Text wrap="truncate">
          {done} of {rows.length} <Text color={color.success}>{glyphs.done}</Text>
        </Text>
      ) : null}
    </Box>
  );
}

const urgency: readonly ProgressRow['status'][] = ['failed', 'warning', 'waiting', 'ok', 'none'];

/** Returns the `most` most urgent rows in their original order: failures and warnings, then waits. */
const mostUrgent = (rows: readonly ProgressRow[], most: number): readonly ProgressRow[] => {
  const chosen = new Set(urgency.flatMap(one => rows.filter(({status}) => status === one)).slice(0, Math.max(0, most)));
  return rows.filter(row => chosen.has(row));
};

function Value({row: {value}, wraps}: {readonly row: ProgressRow; readonly wraps: boolean}) {
  if (wraps) return <Prose>{value}</Prose>;
  return <Text wrap="truncate-middle">{value}</Text>;
}

const signs = {
  waiting: [(glyphs: Glyphs) => glyphs.waiting, undefined],
  ok: [(glyphs: Glyphs) => glyphs.done, color.success],
  warning: [(glyphs: Glyphs) => glyphs.warning, color.warning],
  failed: [(glyphs: Glyphs) => glyphs.failed, color.danger],
  none: [(glyphs: Glyphs) => glyphs.none, undefined],
} as const;

function Sign({status, glyphs}: {readonly status: ProgressRow['status']; readonly glyphs: Glyphs}) {
  const [glyph, paint] = signs[status];
  return (
    <Box width={2} flexShrink={0}>
      <Text {...(paint ? {color: paint} : {})}>{glyph(glyphs)}</Text>
    </Box>
  );
}

/** A time in milliseconds; `elsewhere` if another row shows it. */
type Elapsed = number | 'elsewhere' | undefined;

function Time({row, elapsed}: {readonly row: ProgressRow; readonly elapsed: Elapsed}) {
  const text = row.status === 'waiting' ? soFar(elapsed, row.atMost) : row.ms === undefined ? '' : duration(row.ms);
  return (
    <Box minWidth={text === '' ? 0 : 9} flexShrink={0} justifyContent="flex-end">
      <Text>{text}</Text>
    </Box>
  );
}

/**
 * Returns the elapsed time and its limit as text. Both are passed in milliseconds. A limit that has passed is left out:
 * by then the step waits for something else, which has a row of its own.
 */
const soFar = (elapsed: Elapsed, atMost: number | undefined) => {
  const isOver = typeof elapsed === 'number' && atMost !== undefined && elapsed > atMost;
  const most = atMost === undefined || isOver ? undefined : `${Math.round(atMost / 1000)} s`;
  if (elapsed === undefined) return '';
  if (elapsed === 'elsewhere') return most === undefined ? '' : `up to ${most}`;
  const seconds = Math.floor(elapsed / 1000);
  return most === undefined ? `${seconds} s` : `${seconds} of ${most}`;
};

/** The interval of clocks on the screen, in milliseconds. It is longer for people who want little movement. */
const TickContext = createContext(1_000);

export const TickProvider = TickContext.Provider;

/** Returns the milliseconds since `subject` began, updated with each tick; undefined before the first. */
export const useElapsed = (subject: string): number | undefined => {
  const tick = useContext(TickContext);
  const [elapsed, setElapsed] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject starts the clock again.
  useEffect(() => {
    const started = performance.now();
    setElapsed(undefined);
    const timer = setInterval(() => setElapsed(performance.now() - started), tick);
    return () => clearInterval(timer);
  }, [subject, tick]);
  return elapsed;
};
