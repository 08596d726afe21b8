import {Box, Text} from 'ink';
import {useState} from 'react';
import type {Deployment as Found} from '../flows/find-deployment.ts';
import type {Service} from '../platform/platform.ts';
import type {WizardState} from '../state/model.ts';
import {layoutName} from '../state/names.ts';
import {type ProgressRow, probedMs} from '../state/progress.ts';
import type {WizardEvent} from '../state/reducer.ts';
import {AskText} from './ask-text.tsx';
import {ChoiceList, useChoice} from './choice.tsx';
import {ProgressRows} from './progress.tsx';
import {Screen} from './screen.tsx';
import {color, useGlyphs} from './theme.ts';

type Props = {readonly state: WizardState; readonly deployment: Found; readonly dispatch: (event: WizardEvent) => void};

/** The deployment as it was found, for a yes or for another one. */
export function Deployment({state, deployment, dispatch}: Props) {
  const [isAsking, setAsking] = useState(false);
  const choice = useChoice(
    [
      {value: 'use', label: 'Use this deployment'},
      {value: 'another', label: 'Another base domain'},
      {value: 'again', label: 'Look again'},
    ] as const,
    value => {
      if (value === 'use') dispatch({type: 'answered', answers: {deploymentAccepted: true}});
      else if (value === 'again') dispatch({type: 'went-back', to: 'find-deployment'});
      else setAsking(true);
    },
  );
  if (isAsking) {
    return (
      <AskText
        state={state}
        heading="Where is your platform?"
        label="Base domain, or any address of the platform"
        initial={deployment.baseDomain}
        onCancel={() => setAsking(false)}
        onSubmit={baseDomain => dispatch({type: 'answered', answers: {baseDomain, addresses: {}}})}
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
