import {Box} from 'ink';
import {turnOf} from '../../state/view/names.ts';
import type {FailureBlock} from '../../state/view/view.ts';
import {CallTicker} from './calls.tsx';
import {rowsOf} from './layout/room.ts';
import {useSize} from './layout/size.tsx';
import {ProgressRows, progressRows} from './progress-rows.tsx';
import {Prose} from './prose.tsx';

/** What happened, to which address, and whose turn it is. */
export function Failure({failure}: {readonly failure: FailureBlock}) {
  const {isCalm, message, whose, remedy, block, call, rows} = failure;
  const {rows: height, columns} = useSize();
  // What is said beside it has to stay on the screen; printed, it is whole in any case.
  const isShown = block !== undefined && rowsOf(`${message}\n${remedy}\n\n${block}`, columns) + BESIDES <= height;
  return (
    <>
      <Box flexDirection="column" paddingLeft={2}>
        <Prose>{message}</Prose>
        <Prose>
          {isCalm ? null : `${turnOf[whose]} `}
          {remedy}
          {block !== undefined && !isShown ? ' p prints it for copying.' : ''}
        </Prose>
        {isShown ? (
          <Box marginTop={1}>
            <Prose>{block}</Prose>
          </Box>
        ) : null}
      </Box>
      {rows.length > 0 ? <ProgressRows rows={rows} /> : call ? <CallTicker calls={[call]} most={1} /> : null}
    </>
  );
}

/** How many rows it takes, without what is printed for copying. */
export const failureRows = ({message, remedy, whose, call, rows}: FailureBlock, columns: number): number =>
  rowsOf(message, columns) +
  rowsOf(`${turnOf[whose]} ${remedy}`, columns) +
  (rows.length > 0 ? progressRows(rows, columns) : call ? 1 : 0);

/** What else a failure's screen has, at most, in rows: rail, receipts, heading, choices with their hints, keys. */
const BESIDES = 24;
