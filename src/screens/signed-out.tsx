import {Box, Text} from 'ink';
import type {Context} from '../ports/storage.ts';
import type {Answers, WizardState} from '../state/model.ts';
import type {WizardEvent} from '../state/reducer.ts';
import {ChoiceList, useChoice} from './choice.tsx';
import {Screen} from './screen.tsx';

type Props = {
  readonly state: WizardState;
  readonly saved: Context;
  readonly message: string;
  /** The answers that sign in the way it was done before. */
  readonly again: Answers;
  readonly dispatch: (event: WizardEvent) => void;
  readonly leave: () => void;
};

/** A saved sign-in that has ended: one key brings it back, with every entry that holds it. */
export function SignedOut({state, saved, message, again, dispatch, leave}: Props) {
  const choice = useChoice(
    [
      {value: 'sign-in', label: 'Sign in again', hint: 'As before; every entry is renewed.'},
      {value: 'anew', label: 'Set up anew', hint: 'Another deployment, or another way.'},
      {value: 'quit', label: 'Quit'},
    ] as const,
    value => {
      if (value === 'quit') leave();
      else if (value === 'anew') dispatch({type: 'answered', answers: {resume: 'anew'}});
      else dispatch({type: 'answered', answers: {...again, resume: 'sign-in'}});
    },
  );
  return (
    <Screen state={state} heading={`Your sign-in to ${saved.name} has ended`} bindings={choice.bindings}>
      <Box paddingLeft={2}>
        {/* The heading has said whose it is. */}
        <Text>{message.replace(/^Your sign-in to .*? has ended: /, '')}</Text>
      </Box>
      <ChoiceList choice={choice} />
    </Screen>
  );
}
