import {Box} from 'ink';
import {useState} from 'react';
import {turnOf} from '../../state/view/names.ts';
import type {Block, FailureBlock} from '../../state/view/view.ts';
import {CallTicker} from './calls.tsx';
import type {Binding} from './keys.tsx';
import {rowsOf, useGap} from './layout.tsx';
import {ProgressRows, progressRows} from './progress-rows.tsx';
import {Prose, Text, usePrint, Warning} from './safe-text.tsx';
import {type Scroll, Scrolled} from './scroll.tsx';
import {useSize} from './size.tsx';
import {color, useGlyphs} from './theme.ts';

type FailureProps = {
  readonly failure: FailureBlock;
  /** True if there is room for the lines to copy beside everything else. */
  readonly hasRoom: boolean;
};

/**
 * Returns the key that prints lines to copy above the frame, neither indented nor wrapped; none without such lines. A
 * frame may hide what was printed above it, so the key then says where that is.
 */
export const usePrintBinding = (lines: string | undefined): readonly Binding[] => {
  const print = usePrint();
  const [printed, setPrinted] = useState<string>();
  if (lines === undefined) return [];
  const run = () => {
    print(lines);
    setPrinted(lines);
  };
  return [{keys: ['p'], label: printed === lines ? 'printed: scroll up' : 'print, to copy', run}];
};

/** Shows a failure: what happened, at which address, and who has to act. */
export function Failure({failure, hasRoom}: FailureProps) {
  const {message, block, leads, call, rows} = failure;
  const gap = useGap();
  return (
    <Box flexDirection="column" rowGap={gap}>
      {leads ? (
        <Box paddingLeft={2}>
          <Prose>{block}</Prose>
        </Box>
      ) : null}
      <Box flexDirection="column" paddingLeft={2}>
        <Prose>{message}</Prose>
        <Prose>{remedyOf(failure, hasRoom)}</Prose>
        {hasRoom && block !== undefined && !leads ? (
          <Box marginTop={1}>
            <Prose>{block}</Prose>
          </Box>
        ) : null}
      </Box>
      {rows.length > 0 ? <ProgressRows rows={rows} /> : call ? <CallTicker calls={[call]} most={1} /> : null}
    </Box>
  );
}

/** Returns the number of groups of a failure. There may be a gap between them. */
export const failureParts = ({leads, rows, call}: FailureBlock): number =>
  1 + (leads ? 1 : 0) + (rows.length > 0 || call ? 1 : 0);

/** Returns what to do. If the lines to copy are not on the screen, it names the key that prints them. */
const remedyOf = ({isCalm, whose, remedy, block, leads}: FailureBlock, hasRoom: boolean): string =>
  [
    ...(isCalm ? [] : [turnOf[whose]]),
    remedy,
    ...(block !== undefined && !leads && !hasRoom ? ['Press p to print the lines to apply.'] : []),
  ].join(' ');

/** Returns the number of rows of a failure, with the lines to copy or without them. */
export const failureRows = (failure: FailureBlock, columns: number, hasRoom: boolean): number => {
  const {message, block = '', leads, call, rows} = failure;
  return (
    (leads ? rowsOf(block, columns) : 0) +
    rowsOf(message, columns) +
    rowsOf(remedyOf(failure, hasRoom), columns) +
    (hasRoom && failure.block !== undefined && !leads ? 1 + rowsOf(block, columns) : 0) +
    (rows.length > 0 ? progressRows(rows, columns) : call ? 1 : 0)
  );
};

type Props = {
  readonly blocks: readonly Block[];
  /** The most rows that they may take, without gaps. If that is too few, they scroll. */
  readonly room: number;
  readonly scroll: Scroll;
  readonly gap: number;
  /** True if there is room for lines to copy, and for long values below their names, beside everything else. */
  readonly hasRoom: boolean;
};

/** Shows the blocks above a question. */
export function Blocks({blocks, room, scroll, gap, hasRoom}: Props) {
  const {columns} = useSize();
  if (blocks.length === 0 || room < 1) return null;
  const all = rowsOfBlocks(blocks, columns, hasRoom);
  return (
    <Scrolled scroll={scroll} most={room + gap * (partsOfBlocks(blocks) - 1)}>
      <Box flexDirection="column" flexShrink={0} rowGap={gap}>
        {blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one question never change places.
          <One key={index} block={block} room={room - all + rowsOfBlock(block, columns, hasRoom)} hasRoom={hasRoom} />
        ))}
      </Box>
    </Scrolled>
  );
}

/** Returns the number of rows of the blocks, without gaps, with the lines to copy or without them. */
export const rowsOfBlocks = (blocks: readonly Block[], columns: number, hasRoom: boolean): number =>
  blocks.reduce((sum, block) => sum + rowsOfBlock(block, columns, hasRoom), 0);

/** Returns the number of groups of the blocks. There may be a gap between them. */
export const partsOfBlocks = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + (block.type === 'failure' ? failureParts(block) : 1), 0);

const rowsOfBlock = (block: Block, columns: number, hasRoom: boolean): number => {
  switch (block.type) {
    case 'text':
      return rowsOf(block.text, columns);
    case 'status':
      return rowsOf(`+ ${block.text}`, columns);
    case 'table':
      return rowsOfTable(block.rows, columns, hasRoom);
    case 'rows':
      return progressRows(block.rows, columns);
    case 'failure':
      return failureRows(block, columns, hasRoom);
    default:
      return block satisfies never;
  }
};

type OneProps = {readonly block: Block; readonly room: number; readonly hasRoom: boolean};

function One({block, room, hasRoom}: OneProps) {
  switch (block.type) {
    case 'text':
      return (
        <Box paddingLeft={2}>
          <Prose>{block.text}</Prose>
        </Box>
      );
    case 'status':
      return block.status === 'warning' ? <Warning message={block.text} /> : <Good text={block.text} />;
    case 'table':
      return <Table rows={block.rows} hasRoom={hasRoom} />;
    case 'rows':
      return <ProgressRows rows={block.rows} room={room} />;
    case 'failure':
      return <Failure failure={block} hasRoom={hasRoom} />;
    default:
      return block satisfies never;
  }
}

function Good({text}: {readonly text: string}) {
  const {done} = useGlyphs();
  return (
    <Box paddingLeft={2}>
      <Prose>
        <Text color={color.success}>{done}</Text> {text}
      </Prose>
    </Box>
  );
}

type Row = readonly [name: string, value: string];

/** Returns the width of the names with the blanks behind them, which are fewer in a narrow terminal. */
const nameWidth = (rows: readonly Row[], columns: number): number =>
  Math.max(...rows.map(([name]) => name.length)) + (columns < NARROW ? 1 : 3);

const NARROW = 60;

/** Whether a value is too long to stand beside its name. */
const isLong = ([name, value]: Row, width: number, columns: number): boolean =>
  name !== '' && 2 + width + value.length > columns;

const rowsOfTable = (rows: readonly Row[], columns: number, hasRoom: boolean): number => {
  const below = hasRoom ? rows.filter(row => isLong(row, nameWidth(rows, columns), columns)) : [];
  return rows.length + below.length;
};

/** Shows names and values. Both ends of an address matter, so a long one is below its name or cut in the middle. */
function Table({rows, hasRoom}: {readonly rows: readonly Row[]; readonly hasRoom: boolean}) {
  const {columns} = useSize();
  if (rows.length === 0) return null;
  const width = nameWidth(rows, columns);
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {rows.map(row => {
        const [name, value] = row;
        const isBelow = hasRoom && isLong(row, width, columns);
        return (
          <Box key={`${name} ${value}`} flexDirection={isBelow ? 'column' : 'row'}>
            {/* A row that continues the one above has no name. */}
            <Box flexShrink={0} {...(isBelow ? {} : {width})}>
              <Text wrap="truncate">{name}</Text>
            </Box>
            <Box paddingLeft={isBelow ? 2 : 0}>
              <Text wrap="truncate-middle">{value}</Text>
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}
