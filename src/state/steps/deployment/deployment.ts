import {SetupError} from '../../../errors/errors.ts';
import {networkToKeep, urlsOf} from '../../../flows/deployment/context-network.ts';
import type {Service} from '../../../platform/platform.ts';
import {networkIn} from '../../derived/wizard-context.ts';
import {deploymentOf, leavesObserverOut} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {WizardState} from '../../model.ts';
import {type AskStep, asks, nothing, ok} from '../../step.ts';
import {deploymentName, foundBy, layoutName, serviceName} from '../../view/names.ts';
import {back} from '../../view/offers.ts';
import type {Block, Offer, ProgressRow, Receipt} from '../../view/view.ts';
import {changeAddress, enterBaseDomain, platformAsNamed} from './address-offers.ts';

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
      {label: 'Use this deployment', hint: 'You sign in to it next.', event: answered({deploymentAccepted: true})},
      changeAddress(state),
      {...enterBaseDomain(state, 'Another base domain', platformAsNamed(state) ?? ''), isSuggested: true},
      searchAgain(state),
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

/** Offers the same search again. A person who left the observer out may have started it meanwhile. */
const searchAgain = (state: WizardState): Offer => {
  const {answers, initialAnswers} = state;
  if (!leavesObserverOut(state)) return back(SEARCH_AGAIN, 'find-deployment');
  const {observerUrl: _, ...others} = answers.addresses ?? {};
  const {observerUrl} = initialAnswers.addresses ?? {};
  return {
    label: SEARCH_AGAIN,
    event: answered({addresses: {...others, ...(observerUrl === undefined ? {} : {observerUrl})}}),
  };
};

const SEARCH_AGAIN = 'Search again';

/** Returns what was found, in words that need no knowledge of the platform. */
const headingOf = (state: WizardState) => `Found your platform at ${deploymentOf(state).baseDomain}`;

/** Returns the layout and how it is known; empty where the platform does not tell. */
const layoutIn = (state: WizardState): string => {
  const {layout, evidence} = deploymentOf(state);
  return [layout === 'unknown' ? '' : `Layout: ${layoutName[layout]}.`, evidence].join(' ').trim();
};

const aboutDeployment = (state: WizardState): readonly Block[] => {
  const {controlPlaneUrl, observerUrl, authUrl, version, identityProviderName} = deploymentOf(state);
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
    ...(layoutIn(state) === '' ? [] : [{type: 'text', text: layoutIn(state), tone: 'dim'} as const]),
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
    ...(proxy === 'environment' ? ['each shell’s own proxy'] : []),
    ...proxies.map(one => `proxy ${one}`),
    ...(authority ? [`certificate authority ${'file' in authority ? authority.file : 'you trusted'}`] : []),
    ...(clientCertificate ? [`client certificate ${clientCertificate.certificate}`] : []),
  ];
  return parts.length > 0 ? [{label: 'Network', text: parts.join(', ')}] : [];
};

/** Asks which of several platforms is meant. The answer is a base domain, for which the search starts again. */
export const whichDeployment = {
  id: 'which-deployment',
  stage: 'deployment',
  kind: 'ask',
  title: 'Which platform do you mean?',
  flag: '--base-domain',
  when: ({facts}) => facts.deploymentChoices !== undefined,
  done: ({facts}) => facts.deployment !== undefined,
  forgets: nothing,
  ask: state => ({
    type: 'question',
    offers: [
      ...(state.facts.deploymentChoices ?? []).map(
        ({name, controlPlaneUrl, source}): Offer => ({
          label: new URL(controlPlaneUrl).host,
          hint: `${name}, ${foundBy[source]}`,
          event: answered({baseDomain: controlPlaneUrl, addresses: {}}),
        }),
      ),
      enterBaseDomain(state, 'Another base domain', ''),
    ],
    initial: 0,
  }),
  // The program never chooses one of several platforms by itself.
  inputRequired: ({facts: {deploymentChoices = []}}) => {
    const found = deploymentChoices.map(
      ({name, controlPlaneUrl, source}) => `${name} at ${controlPlaneUrl}, ${foundBy[source]}`,
    );
    const flags = deploymentChoices.map(({controlPlaneUrl}) => `--base-domain ${controlPlaneUrl}`);
    return new SetupError('input-required', `More than one platform was found: ${found.join('; and ')}.`, {
      remedy: `Choose one: ${flags.join(' or ')}.`,
      about: {flag: 'base-domain'},
    });
  },
} satisfies AskStep;
