import {Box, Text} from 'ink';
import type {Answers, WizardState} from '../state/model.ts';
import {signInName} from '../state/names.ts';
import type {WizardEvent} from '../state/reducer.ts';
import {ChoiceList, useChoice} from './choice.tsx';
import {Screen} from './screen.tsx';

type Props = {
  readonly state: WizardState;
  readonly unfinished: Answers;
  readonly dispatch: (event: WizardEvent) => void;
};

/** A wizard that was left before its end: going on where it was, or beginning anew. */
export function Unfinished({state, unfinished, dispatch}: Props) {
  const choice = useChoice(
    [
      {value: 'go-on', label: 'Go on where you were', hint: 'Secrets are not kept; they are asked again.'},
      {value: 'anew', label: 'Begin anew'},
    ] as const,
    value => dispatch({type: 'answered', answers: {...(value === 'go-on' ? unfinished : {}), begun: value}}),
  );
  const {baseDomain, signIn, clientId} = unfinished;
  const known = [
    ...(baseDomain ? [['Base domain', baseDomain] as const] : []),
    ...(signIn ? [['Sign-in', signInName[signIn]] as const] : []),
    ...(clientId ? [['Client ID', clientId] as const] : []),
  ];
  return (
    <Screen state={state} heading="You left before the end" bindings={choice.bindings}>
      {known.length === 0 ? null : (
        <Box flexDirection="column" paddingLeft={2}>
          {known.map(([name, value]) => (
            <Text key={name}>
              {name.padEnd(14)}
              {value}
            </Text>
          ))}
        </Box>
      )}
      <ChoiceList choice={choice} />
    </Screen>
  );
}
