import {Box, Text} from 'ink';
import type {CallLine, Failure as Failed, WizardState} from '../../state/model.ts';
import {turnOf} from '../../state/names.ts';
import {progressRows} from '../../state/progress.ts';
import {CallTicker} from '../parts/calls.tsx';
import {Prose} from '../parts/prose.tsx';
import {rowsOf} from '../parts/room.ts';
import {useSize} from '../parts/size.tsx';
import {color} from '../parts/theme.ts';
import {ProgressRows} from './progress.tsx';

/** What happened, to which address, and whose turn it is. */
export function Failure({state, failure}: {readonly state: WizardState; readonly failure: Failed}) {
  const calls = meantIn(state, failure);
  const {rows: height, columns} = useSize();
  const {block, remedy} = failure;
  const sentence = block === undefined ? remedy : remedy.slice(0, -block.length).trim();
  // What is said beside it has to stay on the screen; printed, it is whole in any case.
  const isShown = block !== undefined && rowsOf(`${failure.message}\n${remedy}`, columns) + BESIDES <= height;
  const rows = progressRows(state, failure.step).filter(({status}) => status !== 'waiting');
  return (
    <>
      <Box flexDirection="column" paddingLeft={2}>
        <Prose color={color.danger}>{failure.message}</Prose>
        <Prose>
          <Text dimColor>{turnOf[failure.whose]} </Text>
          {sentence}
          {block !== undefined && !isShown ? ' p prints it, to be copied.' : ''}
        </Prose>
        {isShown ? (
          <Box marginTop={1}>
            <Prose>{block}</Prose>
          </Box>
        ) : null}
      </Box>
      {failure.step === 'find-deployment' && rows.length > 0 ? (
        <ProgressRows rows={rows} />
      ) : (
        <CallTicker calls={calls} most={1} />
      )}
    </>
  );
}

/** What else a failure's screen has, at most, in rows: rail, receipts, heading, choices with their hints, keys. */
const BESIDES = 24;

/** The call that the failure is about: the one that it names, else the last to the same server, if that is what failed. */
const meantIn = ({calls}: WizardState, {step, message}: Failed): readonly CallLine[] => {
  const own = calls.filter(call => call.step === step);
  const named = own.findLast(({url, answer}) => answer?.failed && message.includes(url));
  const last = own.findLast(({url}) => message.includes(new URL(url).origin));
  if (named) return [named];
  return last?.answer?.failed ? [last] : [];
};
