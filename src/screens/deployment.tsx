import {Box, Text} from 'ink';
import {useState} from 'react';
import type {Deployment as Found} from '../flows/find-deployment.ts';
import type {Service} from '../platform/platform.ts';
import type {Answers, WizardState} from '../state/model.ts';
import {layoutName} from '../state/names.ts';
import {type ProgressRow, probedMs} from '../state/progress.ts';
import type {WizardEvent} from '../state/reducer.ts';
import {AskText} from './ask-text.tsx';
import {ChoiceList, useChoice} from './choice.tsx';
import {ProgressRows} from './progress.tsx';
import {Screen} from './screen.tsx';
import {color, useGlyphs} from './theme.ts';

type Props = {readonly state: WizardState; readonly deployment: Found; readonly dispatch: (event: WizardEvent) => void};

type Asked = {readonly label: string; readonly initial: string; readonly toAnswers: (text: string) => Partial<Answers>};

/** The deployment as it was found, for a yes, for another one, or with another address in one place. */
export function Deployment({state, deployment, dispatch}: Props) {
  const [asked, setAsked] = useState<Asked | 'which'>();
  const choice = useChoice(
    [
      {value: 'use', label: 'Use this deployment'},
      {value: 'address', label: 'Change an address'},
      {value: 'another', label: 'Another base domain'},
      {value: 'again', label: 'Look again'},
    ] as const,
    value => {
      if (value === 'use') dispatch({type: 'answered', answers: {deploymentAccepted: true}});
      else if (value === 'again') dispatch({type: 'went-back', to: 'find-deployment'});
      else setAsked(value === 'address' ? 'which' : anotherDomain(deployment));
    },
  );
  if (asked === 'which') {
    return (
      <WhichAddress state={state} deployment={deployment} onChoose={setAsked} onCancel={() => setAsked(undefined)} />
    );
  }
  if (asked) {
    return (
      <AskText
        state={state}
        heading="Where is your platform?"
        label={asked.label}
        initial={asked.initial}
        onCancel={() => setAsked(undefined)}
        onSubmit={text => dispatch({type: 'answered', answers: asked.toAnswers(text)})}
      />
    );
  }
  const heading =
    deployment.layout === 'unknown'
      ? 'Your deployment was found'
      : `Your deployment is ${layoutName[deployment.layout]}`;
  return (
    <Screen state={state} heading={heading} bindings={choice.bindings}>
      <Box paddingLeft={2}>
        <Text dimColor>{deployment.evidence}</Text>
      </Box>
      <ProgressRows rows={rowsOf(state, deployment)} />
      {deployment.observerUrl ? null : <NoObserver />}
      <ChoiceList choice={choice} />
    </Screen>
  );
}

const anotherDomain = ({baseDomain}: Found): Asked => ({
  label: 'Base domain, or any address of the platform',
  initial: baseDomain,
  toAnswers: text => ({baseDomain: text, addresses: {}}),
});

type WhichProps = {
  readonly state: WizardState;
  readonly deployment: Found;
  readonly onChoose: (asked: Asked) => void;
  readonly onCancel: () => void;
};

/** The three addresses, one of which is to be another. The others stay as they were found. */
function WhichAddress({state, deployment, onChoose, onCancel}: WhichProps) {
  const {baseDomain, controlPlaneUrl, observerUrl, authUrl} = deployment;
  const found = {controlPlaneUrl, authUrl, ...(observerUrl ? {observerUrl} : {})};
  const options = [
    {value: 'controlPlaneUrl', label: 'Control plane', hint: controlPlaneUrl},
    {value: 'observerUrl', label: 'Observer', hint: observerUrl ?? 'none'},
    {value: 'authUrl', label: 'Identity provider', hint: authUrl},
  ] as const;
  const choice = useChoice(options, value => {
    const {label, hint} = options.find(option => option.value === value) ?? options[0];
    const toAnswers = (text: string) => ({baseDomain, addresses: {...found, [value]: text}});
    onChoose({label, initial: hint === 'none' ? '' : hint, toAnswers});
  });
  const back = {keys: ['esc'], label: 'back', run: onCancel};
  return (
    <Screen state={state} heading="Which address?" bindings={[...choice.bindings, back]}>
      <ChoiceList choice={choice} />
    </Screen>
  );
}

function NoObserver() {
  const {warning} = useGlyphs();
  return (
    <Box paddingLeft={2}>
      <Text color={color.warning}>{warning} Without the observer, assistants cannot read logs, metrics or traces.</Text>
    </Box>
  );
}

const rowsOf = (
  state: WizardState,
  {controlPlaneUrl, observerUrl, authUrl, version}: Found,
): readonly ProgressRow[] => {
  const row = (service: Service, label: string, value: string): ProgressRow => {
    const ms = probedMs(state, service);
    return {key: service, status: 'ok', label, value, ...(ms === undefined ? {} : {ms})};
  };
  return [
    row('control-plane', version ? `Control plane ${version}` : 'Control plane', controlPlaneUrl),
    ...(observerUrl ? [row('observer', 'Observer', observerUrl)] : []),
    row('identity-provider', 'Identity provider', authUrl),
  ];
};
