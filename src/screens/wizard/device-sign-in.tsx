import {Box, Text} from 'ink';
import type {FlowEvent} from '../../flows/flow.ts';
import type {WizardState} from '../../state/model.ts';
import {whyAgain} from '../../state/own-tokens.ts';
import type {WizardEvent} from '../../state/reducer.ts';
import type {Binding} from '../parts/keys.tsx';
import {Warning} from '../parts/prose.tsx';
import {Screen} from '../parts/screen.tsx';
import {useTimeLeft} from '../parts/use-time-left.ts';

export type DeviceCode = Extract<FlowEvent, {type: 'device-code'}>;

type Props = {
  readonly state: WizardState;
  readonly device: DeviceCode;
  readonly now: () => number;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** A code to type into a browser anywhere (RFC 8628 3.3). */
export function DeviceSignIn({state, device, now, dispatch, back}: Props) {
  const left = useTimeLeft(device.until, now);
  const why = whyAgain(state);
  const inBrowser = () => dispatch({type: 'answered', answers: {signInBy: 'browser'}});
  return (
    <Screen
      state={state}
      heading={`Waiting for you in a browser anywhere, ${left} left`}
      bindings={[{keys: ['b'], label: 'in a browser here', run: inBrowser}, ...back]}
    >
      {why ? <Warning message={why} /> : null}
      <Box flexDirection="column" paddingLeft={2} rowGap={1}>
        <Text>Open this address on any machine, and type the code:</Text>
        <Text wrap="hard">{device.verificationUri}</Text>
        <Text bold>{device.userCode}</Text>
      </Box>
    </Screen>
  );
}
