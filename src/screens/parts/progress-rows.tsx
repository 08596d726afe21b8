import {Box} from 'ink';
import {duration} from '../../duration.ts';
import type {ProgressRow} from '../../state/view/view.ts';
import {rowsOf} from './layout/room.ts';
import {useSize} from './layout/size.tsx';
import {Prose} from './prose.tsx';
import {Text} from './text.tsx';
import {color, type Glyphs, useGlyphs} from './theme.ts';

/** Where a label and what is said of it do not fit side by side. */
const isNarrow = (columns: number) => columns < 70;

/** How many rows these take, wrapped. */
export const progressHeight = (rows: readonly ProgressRow[], columns: number): number => {
  const beside = isNarrow(columns) ? 2 : labelWidthOf(rows);
  const below = isNarrow(columns) ? 1 : 0;
  return rows.reduce((sum, {value}) => sum + below + rowsOf(value, Math.min(columns, WIDEST) - beside), 0);
};

const WIDEST = 100;

const labelWidthOf = (rows: readonly ProgressRow[]) => Math.max(...rows.map(({label}) => label.length)) + 5;

/** What a step has done so far. `elapsed`, in milliseconds, is for the rows that still wait. */
export function ProgressRows({
  rows,
  elapsed,
  wraps = false,
}: {
  readonly rows: readonly ProgressRow[];
  readonly elapsed?: number | undefined;
  /** Whether what is said is worth more lines rather than a cut. */
  readonly wraps?: boolean;
}) {
  const {columns} = useSize();
  const glyphs = useGlyphs();
  const narrow = isNarrow(columns);
  const labelWidth = labelWidthOf(rows);
  return (
    <Box flexDirection="column" paddingLeft={2} maxWidth={WIDEST}>
      {rows.map(row => (
        <Box key={row.key} flexDirection={narrow ? 'column' : 'row'}>
          <Box width={narrow ? '100%' : labelWidth} flexShrink={0}>
            <Sign status={row.status} glyphs={glyphs} />
            <Box flexGrow={1}>
              <Text>{row.label}</Text>
            </Box>
            {narrow ? <Time row={row} elapsed={elapsed} /> : null}
          </Box>
          {narrow && row.value === '' ? null : (
            <Box flexGrow={1} flexShrink={1} minWidth={0} paddingLeft={narrow ? 2 : 0}>
              <Value row={row} wraps={wraps} />
            </Box>
          )}
          {narrow ? null : <Time row={row} elapsed={elapsed} />}
        </Box>
      ))}
    </Box>
  );
}

function Value({row: {value, status}, wraps}: {readonly row: ProgressRow; readonly wraps: boolean}) {
  const isDim = status === 'none' || status === 'waiting';
  if (wraps) return <Prose dimColor={isDim}>{value}</Prose>;
  return (
    <Text wrap="truncate-middle" dimColor={isDim}>
      {value}
    </Text>
  );
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

function Time({row, elapsed}: {readonly row: ProgressRow; readonly elapsed: number | undefined}) {
  const text = row.status === 'waiting' ? soFar(elapsed, row.atMost) : row.ms === undefined ? '' : duration(row.ms);
  return (
    <Box minWidth={text === '' ? 0 : 9} flexShrink={0} justifyContent="flex-end">
      <Text dimColor>{text}</Text>
    </Box>
  );
}

/** How long it has taken, and how long it takes at most, both in milliseconds. */
const soFar = (elapsed: number | undefined, atMost: number | undefined) => {
  if (elapsed === undefined) return '';
  const tenths = (elapsed / 1000).toFixed(1);
  return atMost === undefined ? `${tenths} s` : `${tenths} of ${Math.round(atMost / 1000)} s`;
};
