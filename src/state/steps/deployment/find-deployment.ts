import {deploymentIn, type FoundDeployment, type Source} from '../../../domain/context.ts';
import type {SearchInput} from '../../../flows/deployment/find-deployment.ts';
import type {Run} from '../../../flows/flow.ts';
import {TOOL_TIMEOUT} from '../../../flows/time-limits.ts';
import {
  companyDomainIn,
  isCompanyUndecided,
  isNews,
  isObserverMissing,
  isResumed,
  kindsIn,
  savedOf,
} from '../../derived/wizard-deployment.ts';
import type {Failure, WizardState} from '../../model.ts';
import {learns, ok, type Recovery, type RunStep, type StepFlow, silent, waiting} from '../../step.ts';
import {serviceName, sourceName} from '../../view/names.ts';
import {
  anotherBaseDomain,
  enterObserver,
  formerAddress,
  offerItsAddress,
  whichProvider,
  withoutObserver,
} from './address-offers.ts';

/** Looks for the platform where the person said, else in the usual places. */
export const findDeployment = {
  id: 'find-deployment',
  stage: 'deployment',
  kind: 'run',
  title: 'Looking for your platform',
  done: state =>
    isCompanyUndecided(state) || state.facts.deployment !== undefined || state.facts.deploymentChoices !== undefined,
  forgets: learns('deployment', 'deploymentChoices'),
  reopenedBy: ['baseDomain', 'addresses'],
  run: async (state, run) => {
    const {settings, answers} = state;
    if (isResumed(state)) return {deployment: deploymentIn(savedOf(settings))};
    const {layout} = settings;
    const baseDomain = answers.baseDomain === undefined ? {} : {baseDomain: answers.baseDomain};
    const named = settings.contextName === undefined ? {} : {context: settings.contextName};
    const input = {platforms: kindsIn(state), layout, addresses: answers.addresses ?? {}, ...baseDomain, ...named};
    return lookingAround(state, searchFor(state, input, run), run);
  },
  // The rows already show which addresses were tried.
  hidesCalls: true,
  recovery: (state, failure) => ({offers: offersAfter(state, failure), showsRows: true, ...neutral(failure)}),
  eventTexts: {
    'assistants-seen': silent,
    'company-file-found': {
      row: ({source}) => ok('company-file', 'Company file', source),
      line: ({source, name}) => `Company file of ${name}: ${source}. To use it, pass --platform ${source}.`,
    },
    'source-started': {
      row: ({source}) => waiting(`source ${source}`, sourceName[source], TOOL_TIMEOUT, asking[source]),
    },
    'source-answered': {
      row: ({source, outcome, detail, ms}) => ({
        ...ok(`source ${source}`, sourceName[source], detail, ms),
        status: sourceStatus[outcome],
      }),
      line: ({source, detail}) => `${sourceName[source]}: ${detail}`,
    },
    'probe-started': {
      row: ({service, url, atMost}) => waiting(`probe ${url}`, serviceName[service], atMost, url),
    },
    'probe-answered': {
      row: ({service, url, outcome, ms}) => ({
        ...ok(`probe ${url}`, serviceName[service], url, ms),
        status: probeStatus[outcome],
      }),
      line: ({service, url, detail, ms}) => `${serviceName[service]}: ${url}: ${detail} (${ms} ms)`,
    },
    'layout-decided': {
      line: ({baseDomain, layout, evidence}) =>
        [`Deployment ${baseDomain}${layout === 'unknown' ? '' : `: ${layout}-cluster`}.`, evidence].join(' ').trim(),
    },
  },
} satisfies RunStep;

/** Runs the search. Meanwhile it looks for the company file of the base domain, if that has not been looked for yet. */
const searchFor = async (state: WizardState, input: SearchInput, run: Run): ReturnType<StepFlow> => {
  const {findDeployment: find} = await import('../../../flows/deployment/find-deployment.ts');
  const baseDomain = companyDomainIn(state);
  const {version} = state.settings;
  if (baseDomain === undefined || version === undefined) return factsOf(await find(input, run));
  const {platforms} = input;
  const search = (beside: Run) => find(input, beside);
  const {searchBesideCompanyFile} = await import('../../../flows/deployment/find-company-file.ts');
  const found = await searchBesideCompanyFile({baseDomain, platforms, version, search}, run);
  const file = found.file && isNews(found.file, state) ? {file: found.file} : {};
  return {companyFile: {baseDomain, ...file}, ...(found.found ? factsOf(found.found) : {})};
};

const factsOf = (found: FoundDeployment) => ('deployment' in found ? found : {deploymentChoices: found.choices});

/** Reports once which assistants are installed, while the search for the platform is running. */
const lookingAround = async <Found>(
  {settings, seen}: WizardState,
  search: Promise<Found>,
  {ports, tell}: Run,
): Promise<Found> => {
  // The demonstration does not depend on what is installed on the machine.
  const isWanted = !settings.demo && seen === undefined;
  // An error in looking for assistants must not stop the search.
  const {installedAssistants} = await import('../../../flows/assistants/installed-assistants.ts');
  const looking = isWanted ? installedAssistants(settings, ports).catch(() => undefined) : undefined;
  const telling = looking?.then(names => names && tell({type: 'assistants-seen', names}));
  try {
    return await search;
  } finally {
    await telling;
  }
};

const offersAfter = (state: WizardState, failure: Failure) => {
  const {about} = failure;
  if (about?.issuers) return [...whichProvider(state, about.issuers), anotherBaseDomain(state)];
  const itself = about ? offerItsAddress(state, about) : [];
  return [
    ...itself,
    ...formerAddress(state),
    ...(isObserverMissing(failure) ? [enterObserver(state), withoutObserver(state)] : []),
    anotherBaseDomain(state),
  ];
};

/**
 * Returns calm texts for outcomes that are questions rather than faults: a new person's first search finds nothing, or
 * there are two identity providers. A missing observer and a platform that is not ready get a heading of their own.
 */
const neutral = (failure: Failure): Pick<Recovery, 'heading' | 'isNoTrouble' | 'advice'> => {
  const {code, about} = failure;
  if (about?.issuers) return {heading: 'Where do you sign in?', isNoTrouble: true, advice: ONE_IS_TRUSTED};
  if (isObserverMissing(failure)) return {heading: 'The observer was not found'};
  if (code === 'platform-unhealthy') return {heading: 'The platform is there, but not ready yet', advice: WAIT};
  if (code !== 'platform-not-found') return {};
  return {heading: 'No platform found yet', isNoTrouble: true, advice: WHERE_TO_READ};
};

const WAIT =
  'It may be starting or being updated. Wait a moment, then choose Try again. If it stays this way, ask your platform team to check it.';

const WHERE_TO_READ =
  'Enter the platform’s base domain. If the platform answers at api.acme.example.com, that is acme.example.com. Your platform team knows it: in the Helm release, it is global.baseDomain.';

const ONE_IS_TRUSTED =
  'The control plane refuses tokens from any other identity provider. Choose the one it trusts, unless its operators told you otherwise.';

const asking: Readonly<Record<Source, string>> = {
  given: '',
  'saved-context': 'reading…',
  'helm-release': 'asking helm…',
  'gateway-route': 'asking kubectl…',
  'local-address': '',
};

const sourceStatus = {found: 'ok', absent: 'none', failed: 'warning'} as const;
const probeStatus = {up: 'ok', unhealthy: 'warning', down: 'none'} as const;
