import {Box, Text} from 'ink';
import {useState} from 'react';
import {clientValuesOf} from '../state/derived.ts';
import type {Failure as Failed, WizardState} from '../state/model.ts';
import {progressRows} from '../state/progress.ts';
import {type Recovery, recoveriesOf} from '../state/recoveries.ts';
import type {WizardEvent} from '../state/reducer.ts';
import {AskText} from './ask-text.tsx';
import {CallTicker} from './calls.tsx';
import {ChoiceList, useChoice} from './choice.tsx';
import type {Binding} from './keys.tsx';
import {ProgressRows} from './progress.tsx';
import {Screen} from './screen.tsx';
import {color, useGlyphs} from './theme.ts';

type Props = {
  readonly state: WizardState;
  readonly failure: Failed;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
  readonly leave: () => void;
};

/** What happened, to which address, whose turn it is, and every way on. */
export function Failure({state, failure, dispatch, back, leave}: Props) {
  const [asked, setAsked] = useState<Extract<Recovery, {ask: string}>>();
  const {failed} = useGlyphs();
  const recoveries = recoveriesOf(state, failure);
  const choose = (recovery: Recovery | 'quit') => {
    if (recovery === 'quit') leave();
    else if ('event' in recovery) dispatch(recovery.event);
    else setAsked(recovery);
  };
  const options = recoveries.map(recovery => ({
    value: recovery,
    label: recovery.label,
    ...(recovery.hint ? {hint: recovery.hint} : {}),
  }));
  const choice = useChoice<Recovery | 'quit'>([...options, {value: 'quit', label: 'Quit'}], choose);
  if (asked) {
    return (
      <AskText
        state={state}
        heading={asked.label}
        label={asked.ask}
        initial={asked.initial}
        onCancel={() => setAsked(undefined)}
        onSubmit={text => dispatch(asked.toEvent(text))}
      />
    );
  }
  const calls = state.calls.filter(({step, answer}) => step === failure.step && answer?.failed);
  const isPerson = failure.step === 'obtain-token' && state.answers.signIn === 'browser';
  const rows = progressRows(state, failure.step).filter(({status}) => status !== 'waiting');
  return (
    <Screen
      state={state}
      heading={`${failed} It did not work`}
      bindings={[...choice.bindings, ...back]}
      {...(isPerson ? {values: clientValuesOf(state)} : {})}
    >
      <Box flexDirection="column" paddingLeft={2}>
        <Text color={color.danger}>{failure.message}</Text>
        <Text>
          <Text dimColor>{turn[failure.whose]} </Text>
          {failure.remedy}
        </Text>
      </Box>
      {failure.step === 'find-deployment' && rows.length > 0 ? (
        <ProgressRows rows={rows} />
      ) : (
        <CallTicker calls={calls} most={1} />
      )}
      <ChoiceList choice={choice} />
    </Screen>
  );
}

const turn = {you: 'What to do:', platform: 'For the platform’s operators:', us: 'Our fault:'} as const;
