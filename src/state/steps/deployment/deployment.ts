import {networkToKeep, urlsOf} from '../../../flows/deployment/network.ts';
import type {Service} from '../../../platform/platform.ts';
import {networkIn} from '../../derived/context-of.ts';
import {deploymentOf} from '../../derived/deployment-of.ts';
import {answered} from '../../events.ts';
import type {WizardState} from '../../model.ts';
import {type AskStep, asks, ok} from '../../step.ts';
import {deploymentName, layoutName, serviceName} from '../../view/names.ts';
import {back} from '../../view/offers.ts';
import type {Block, ProgressRow, Receipt} from '../../view/view.ts';
import {changeAddress, enterBaseDomain} from './address-offers.ts';

/** Shows the deployment as it was found: the evidence, and where each part answers. */
export const deployment = {
  id: 'deployment',
  stage: 'deployment',
  kind: 'ask',
  title: 'Your deployment',
  flag: '--base-domain',
  done: ({answers}) => answers.deploymentAccepted === true,
  forgets: asks('deploymentAccepted'),
  ask: state => ({
    type: 'question',
    heading: headingOf(state),
    about: aboutDeployment(state),
    offers: [
      {label: 'Use this deployment', event: answered({deploymentAccepted: true})},
      changeAddress(state),
      {...enterBaseDomain(state, 'Another base domain', deploymentOf(state).baseDomain), isSuggested: true},
      back('Search again', 'find-deployment'),
    ],
    initial: 0,
  }),
  defaultAnswer: () => ({deploymentAccepted: true}),
  receipts: state => {
    const {answers, facts} = state;
    if (!facts.deployment || !answers.deploymentAccepted) return [];
    const {baseDomain, layout} = facts.deployment;
    return [{label: 'Deployment', text: deploymentName(baseDomain, layout)}, ...networkReceipt(state)];
  },
} satisfies AskStep;

const headingOf = (state: WizardState) => {
  const {layout} = deploymentOf(state);
  return layout === 'unknown' ? 'Your deployment was found' : `Your deployment is ${layoutName[layout]}`;
};

const aboutDeployment = (state: WizardState): readonly Block[] => {
  const {evidence, controlPlaneUrl, observerUrl, authUrl, version, identityProviderName} = deploymentOf(state);
  const row = (service: Service, value: string, release?: string): ProgressRow => {
    const label = release ? `${serviceName[service]} ${release}` : serviceName[service];
    return ok(service, label, value, probedMs(state, service));
  };
  const rows = [
    row('control-plane', controlPlaneUrl, version),
    ...(observerUrl ? [row('observer', observerUrl)] : []),
    row('identity-provider', authUrl, identityProviderName),
  ];
  return [
    ...(evidence === '' ? [] : [{type: 'text', text: evidence, tone: 'dim'} as const]),
    {type: 'rows', rows},
    ...(observerUrl ? [] : [{type: 'status', status: 'warning', text: withoutObserver} as const]),
  ];
};

const withoutObserver = 'Without the observer, assistants cannot read logs, metrics or traces.';

/** Returns how long a service took to answer in the last search, in milliseconds. */
const probedMs = (state: WizardState, service: Service): number | undefined => {
  const answer = state.progress.findLast(
    event => event.type === 'probe-answered' && event.service === service && event.outcome !== 'down',
  );
  return answer?.type === 'probe-answered' ? answer.ms : undefined;
};

/** Returns a line about the network settings that are saved with the deployment, if there are any. */
const networkReceipt = (state: WizardState): readonly Receipt[] => {
  const urls = urlsOf(deploymentOf(state));
  const {proxy, authority, clientCertificate} = networkToKeep(urls, networkIn(state)) ?? {};
  const proxies = typeof proxy === 'object' ? [...new Set([proxy.https, proxy.http].filter(Boolean))] : [];
  const parts = [
    ...(proxy === 'none' ? ['no proxy'] : []),
    ...(proxy === 'environment' ? ['the proxy of each shell'] : []),
    ...proxies.map(one => `proxy ${one}`),
    ...(authority ? [`authority ${'file' in authority ? authority.file : 'that you trusted'}`] : []),
    ...(clientCertificate ? [`client certificate ${clientCertificate.certificate}`] : []),
  ];
  return parts.length > 0 ? [{label: 'Network', text: parts.join(', ')}] : [];
};
