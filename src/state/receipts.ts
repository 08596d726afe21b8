import {networkToKeep, urlsOf} from '../flows/deployment/network.ts';
import {deploymentOf} from './deployment-of.ts';
import {networkIn, targetsOf} from './derived.ts';
import type {WizardState} from './model.ts';
import {layoutName, shortServerName} from './names.ts';
import type {Stage} from './step-shape.ts';
import {currentStep, stepsOf} from './steps.ts';

export type Receipt = {readonly label: string; readonly text: string};

/** The stages of the wizard, in order, with how each stands. */
export const stageNames: Readonly<Record<Stage, string>> = {
  deployment: 'Deployment',
  'sign-in': 'Sign in',
  check: 'Check',
  assistants: 'Assistants',
  review: 'Review',
};

export const stagesOf = (state: WizardState): readonly {stage: Stage; status: 'done' | 'current' | 'to-come'}[] => {
  const current = currentStep(state);
  const order = [...new Set(stepsOf(state).map(({stage}) => stage))];
  const at = order.indexOf(current.stage);
  return order.map((stage, index) => ({
    stage,
    status: current.id === 'done' || index < at ? 'done' : index === at ? 'current' : 'to-come',
  }));
};

/** What is kept of the way to the platform, where there is anything to keep. */
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

/** What is finished, a line each, in the words of the person's own answers. */
export const receiptsOf = (state: WizardState): readonly Receipt[] => {
  const {answers, facts} = state;
  const {deployment, token, check} = facts;
  const names = answers.connect && facts.found ? targetsOf(state).targets.map(({assistant}) => assistant.name) : [];
  return [
    ...(deployment && answers.deploymentAccepted
      ? [{label: 'Deployment', text: `${deployment.baseDomain}, ${layoutName[deployment.layout]}`}]
      : []),
    ...(deployment && answers.deploymentAccepted ? networkReceipt(state) : []),
    ...(token ? [{label: 'Signed in', text: `as ${token.account}${facts.client ? ', created just now' : ''}`}] : []),
    ...(check
      ? [
          {
            label: 'Checked',
            text: check.servers.map(({server, tools}) => `${shortServerName[server]} ${tools} tools`).join(', '),
          },
        ]
      : []),
    ...(names.length > 0 ? [{label: 'Assistants', text: names.join(', ')}] : []),
  ];
};
