import {Box, Text} from 'ink';
import type {CallLine, Failure as Failed, WizardState} from '../state/model.ts';
import {turnOf} from '../state/names.ts';
import {progressRows} from '../state/progress.ts';
import {CallTicker} from './calls.tsx';
import {ProgressRows} from './progress.tsx';
import {Prose} from './prose.tsx';
import {color} from './theme.ts';

/** What happened, to which address, and whose turn it is. */
export function Failure({state, failure}: {readonly state: WizardState; readonly failure: Failed}) {
  const calls = meantIn(state, failure);
  const rows = progressRows(state, failure.step).filter(({status}) => status !== 'waiting');
  return (
    <>
      <Box flexDirection="column" paddingLeft={2}>
        <Prose color={color.danger}>{failure.message}</Prose>
        <Prose>
          <Text dimColor>{turnOf[failure.whose]} </Text>
          {failure.remedy}
        </Prose>
      </Box>
      {failure.step === 'find-deployment' && rows.length > 0 ? (
        <ProgressRows rows={rows} />
      ) : (
        <CallTicker calls={calls} most={1} />
      )}
    </>
  );
}

/** The call that the failure is about: the one that it names, else the last to the same server, if that is what failed. */
const meantIn = ({calls}: WizardState, {step, message}: Failed): readonly CallLine[] => {
  const own = calls.filter(call => call.step === step);
  const named = own.findLast(({url, answer}) => answer?.failed && message.includes(url));
  const last = own.findLast(({url}) => message.includes(new URL(url).origin));
  if (named) return [named];
  return last?.answer?.failed ? [last] : [];
};
