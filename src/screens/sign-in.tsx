import {Box, Text} from 'ink';
import {clientValuesOf} from '../state/derived.ts';
import type {SignIn as Way, WizardState} from '../state/model.ts';
import {signInName} from '../state/names.ts';
import {headingOf} from '../state/progress.ts';
import type {WizardEvent} from '../state/reducer.ts';
import {ChoiceList, type Option, useChoice} from './choice.tsx';
import type {Binding} from './keys.tsx';
import {Screen} from './screen.tsx';

const ways: readonly Option<Way>[] = [
  {value: 'browser', label: signInName.browser, hint: 'You sign in as yourself. Best on your own machine.'},
  {
    value: 'create-mcp-client',
    label: signInName['create-mcp-client'],
    hint: 'For assistants only. Needs an administrator once.',
  },
  {value: 'mcp-client', label: signInName['mcp-client'], hint: 'You have its client ID and secret.'},
  {value: 'service-account', label: signInName['service-account'], hint: 'For CI and shared machines.'},
];

type Props = {
  readonly state: WizardState;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** The choice between the ways to sign in. What flags or the environment gave is taken along with it. */
export function SignIn({state, dispatch, back}: Props) {
  const {presets, suggested} = state.settings;
  const initial = Math.max(
    0,
    ways.findIndex(({value}) => value === suggested),
  );
  const choice = useChoice(
    ways,
    signIn => dispatch({type: 'answered', answers: {signIn, ...presets[signIn]}}),
    initial,
  );
  const known = ways[choice.at]?.value;
  const preset = known ? presets[known] : undefined;
  const {secretFrom} = state.settings;
  const from = secretFrom && preset?.clientId ? ` from ${secretFrom}` : '';
  const isKnown = preset?.clientEntered || preset?.adminEntered;
  const who = isKnown ? (preset?.clientId ?? preset?.adminUsername) : undefined;
  return (
    <Screen
      state={state}
      heading={headingOf['sign-in']}
      bindings={[...choice.bindings, ...back]}
      {...(known === 'browser' ? {values: clientValuesOf(state)} : {})}
    >
      <ChoiceList choice={choice} />
      <Box paddingLeft={2}>
        <Text dimColor>{who ? `Known already: ${who}, with the secret${from}. Nothing to type.` : explanation}</Text>
      </Box>
    </Screen>
  );
}

const explanation =
  'An MCP server is how an assistant reaches the platform; an MCP client is the account that it does so with.';
