import {Box} from 'ink';
import type {Deployment as Found} from '../../domain/deployment.ts';
import type {Service} from '../../platform/platform.ts';
import type {WizardState} from '../../state/model.ts';
import {type ProgressRow, probedMs} from '../../state/progress.ts';
import {Prose, Warning} from '../parts/prose.tsx';
import {ProgressRows} from './progress.tsx';

/** The deployment as it was found: why it is taken for what it is, and where each part answers. */
export function Deployment({state, deployment}: {readonly state: WizardState; readonly deployment: Found}) {
  return (
    <>
      <Box paddingLeft={2}>
        <Prose dimColor>{deployment.evidence}</Prose>
      </Box>
      <ProgressRows rows={rowsOf(state, deployment)} />
      {deployment.observerUrl ? null : (
        <Warning message="Without the observer, assistants cannot read logs, metrics or traces." />
      )}
    </>
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
