import {Box} from 'ink';
import {turnOf} from '../../state/view/names.ts';
import type {FailureBlock} from '../../state/view/view.ts';
import {CallTicker} from './calls.tsx';
import {rowsOf, useGap} from './layout/room.ts';
import {ProgressRows, progressRows} from './progress-rows.tsx';
import {Prose} from './prose.tsx';

type Props = {
  readonly failure: FailureBlock;
  /** Whether there is room for the lines to be copied beside everything else. */
  readonly hasRoom: boolean;
};

/** What happened, to which address, and whose turn it is. */
export function Failure({failure, hasRoom}: Props) {
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

/** How many groups it has, between which there may be a gap. */
export const failureParts = ({leads, rows, call}: FailureBlock): number =>
  1 + (leads ? 1 : 0) + (rows.length > 0 || call ? 1 : 0);

/** What to do, with the key that prints the lines to be copied where they are not on the screen. */
const remedyOf = ({isCalm, whose, remedy, block, leads}: FailureBlock, hasRoom: boolean): string =>
  [
    ...(isCalm ? [] : [turnOf[whose]]),
    remedy,
    ...(block !== undefined && !leads && !hasRoom ? ['Press p to print what to apply.'] : []),
  ].join(' ');

/** How many rows it takes, with the lines to be copied or without them. */
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
