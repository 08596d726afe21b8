import {Box} from 'ink';
import {turnOf} from '../../state/view/names.ts';
import type {FailureBlock} from '../../state/view/view.ts';
import {CallTicker} from './calls.tsx';
import {rowsOf, useGap} from './layout/room.ts';
import {useSize} from './layout/size.tsx';
import {ProgressRows, progressRows} from './progress-rows.tsx';
import {Prose} from './prose.tsx';

/** What happened, to which address, and whose turn it is. */
export function Failure({failure}: {readonly failure: FailureBlock}) {
  const {isCalm, message, whose, remedy, block, leads, call, rows} = failure;
  const {rows: height, columns} = useSize();
  const gap = useGap();
  // What is said beside it has to stay on the screen; printed, it is whole in any case.
  const isShown = showsBlock(failure, columns, height);
  return (
    <Box flexDirection="column" rowGap={gap}>
      {leads ? (
        <Box paddingLeft={2}>
          <Prose>{block}</Prose>
        </Box>
      ) : null}
      <Box flexDirection="column" paddingLeft={2}>
        <Prose>{message}</Prose>
        <Prose>
          {isCalm ? null : `${turnOf[whose]} `}
          {remedy}
          {block !== undefined && !isShown && !leads ? ' p prints it for copying.' : ''}
        </Prose>
        {isShown ? (
          <Box marginTop={1}>
            <Prose>{block}</Prose>
          </Box>
        ) : null}
      </Box>
      {rows.length > 0 ? <ProgressRows rows={rows} /> : call ? <CallTicker calls={[call]} most={1} /> : null}
    </Box>
  );
}

/** How many groups it has, between which there may be a gap. */
export const failureParts = ({leads, rows, call}: FailureBlock): number =>
  1 + (leads ? 1 : 0) + (rows.length > 0 || call ? 1 : 0);

/** Whether the lines to be copied stand below, where they have room beside all else, in a terminal of `height` rows. */
const showsBlock = ({message, remedy, block, leads}: FailureBlock, columns: number, height: number): boolean =>
  block !== undefined && !leads && rowsOf(`${message}\n${remedy}\n\n${block}`, columns) + BESIDES <= height;

/** How many rows it takes in a terminal of `height` rows. */
export const failureRows = (failure: FailureBlock, columns: number, height: number): number => {
  const {isCalm, message, remedy, block = '', leads, whose, call, rows} = failure;
  return (
    (leads ? rowsOf(block, columns) : 0) +
    rowsOf(message, columns) +
    rowsOf(isCalm ? remedy : `${turnOf[whose]} ${remedy}`, columns) +
    (showsBlock(failure, columns, height) ? 1 + rowsOf(block, columns) : 0) +
    (rows.length > 0 ? progressRows(rows, columns) : call ? 1 : 0)
  );
};

/** What else a failure's screen has, at most, in rows: rail, receipts, heading, choices with their hints, keys. */
const BESIDES = 24;
