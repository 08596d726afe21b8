import type {Context} from '../../domain/context.ts';
import {parseBaseDomain} from '../../platform/addresses.ts';
import type {CompanyDefaults, CompanyFile} from '../../platform/company-file.ts';
import {changed, type Platform} from '../../platform/platform.ts';
import {platforms} from '../../platform/platforms.ts';
import type {Failure, Settings, WizardState} from '../model.ts';

/** Returns the kinds of platform that this run may meet, the usual one first. */
export const kindsOf = ({platform, kinds = [platform]}: Pick<Settings, 'platform' | 'kinds'>): readonly Platform[] =>
  kinds;

/** Returns the kind of platform that this run is about: as it was recognised or saved, else the usual one. */
export const platformOf = ({settings, facts, answers}: WizardState): Platform => {
  const {platform, saved} = settings;
  const isSaved = saved !== undefined && answers.resume !== 'anew' && answers.begun !== 'go-on';
  const there = facts.deployment ?? (isSaved ? saved : undefined);
  const known =
    [...kindsOf(settings), ...platforms].find(one => one.id === there?.platform && !one.changes) ?? platform;
  return there?.descriptor ? changed(known, there.descriptor) : known;
};

/** Returns the Secret in the cluster that holds the certificate authority that the platform may use. */
export const authoritySecretIn = ({settings}: Pick<WizardState, 'settings'>) =>
  kindsOf(settings).find(({cluster}) => cluster.authority)?.cluster.authority;

export const deploymentOf = ({facts}: WizardState) => {
  if (!facts.deployment) throw new Error('No step after the search runs without a deployment.');
  return facts.deployment;
};

/** Returns the release of the control plane, as it was found or checked; undefined if it does not say. */
export const versionIn = (state: WizardState): string | undefined =>
  deploymentOf(state).version ?? state.facts.check?.serverVersion;

/** Returns the control plane as flows that read or grant roles take it. */
export const controlPlaneIn = (state: WizardState) => {
  const version = versionIn(state);
  const {controlPlaneUrl} = deploymentOf(state);
  return {platform: platformOf(state), controlPlaneUrl, ...(version === undefined ? {} : {version})};
};

/** Returns the saved context that this run continues. */
export const savedOf = ({saved}: Pick<Settings, 'saved'>): Context => {
  if (!saved) throw new Error('Only a saved context is resumed.');
  return saved;
};

/** Whether this run continues the saved context. */
export const isResumed = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.resume === 'sign-in' || wantsMore({answers});

/** Whether this run continues the saved sign-in, so that the person does not sign in. */
export const isSignedIn = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  wantsMore({answers}) && answers.signInAnew !== true;

/** Whether the person wants more of the saved context than a sign-in. */
const wantsMore = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.resume === 'renew' || answers.resume === 'connect';

/** Returns the answer that records the choice to sign in, in a run that would have used the saved sign-in. */
export const signingInAnew = (state: Pick<WizardState, 'answers'>): {readonly signInAnew?: true} =>
  wantsMore(state) ? {signInAnew: true} : {};

/** Whether the run signs in as a client whose ID and secret the person has. */
export const isByClient = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.signIn === 'mcp-client' || answers.signIn === 'service-account';

/** Whether this run creates an MCP client: none is saved from an earlier run, or the saved one gets a new secret. */
export const isCreating = ({answers, facts}: Pick<WizardState, 'answers' | 'facts'>): boolean =>
  answers.signIn === 'create-mcp-client' && (!facts.keptClient?.isKept || answers.existingClient === 'reset-secret');

/**
 * Whether this run is about a sign-in only. The sign-in is saved at once, and its entries are renewed without a review,
 * because the changes are known.
 */
export const isLogin = ({settings, answers}: Pick<WizardState, 'settings' | 'answers'>): boolean =>
  settings.login === true || (isResumed({answers}) && answers.resume !== 'connect');

/** Whether a flag says that no assistant is connected, so that the person is not asked. */
export const connectsNoAssistant = ({initialAnswers}: Pick<WizardState, 'initialAnswers'>): boolean =>
  Array.isArray(initialAnswers.connect?.assistants) && initialAnswers.connect.assistants.length === 0;

/** Whether the person left the observer out in this run, and no flag did. */
export const leavesObserverOut = ({
  answers,
  initialAnswers,
}: Pick<WizardState, 'answers' | 'initialAnswers'>): boolean =>
  answers.addresses?.observerUrl === 'none' && initialAnswers.addresses?.observerUrl !== 'none';

type Known = Pick<WizardState, 'settings' | 'answers' | 'facts'>;

/** Returns the company file of this run: the one that the person named, otherwise the one of the base domain. */
export const companyFileIn = ({settings, answers, facts}: Known): CompanyFile | undefined => {
  if (isResumed({answers})) return undefined;
  const ofDomain = facts.companyFile?.baseDomain === answers.baseDomain ? facts.companyFile?.file : undefined;
  const named = settings.companyFile;
  return named && isAbout(named, answers.baseDomain) ? named : ofDomain;
};

/** Whether the company file that the person named is about the platform that the run looks for. */
const isAbout = ({company}: CompanyFile, baseDomain: string | undefined): boolean =>
  baseDomain === undefined || parseBaseDomain(baseDomain, [company.platform]).name === company.baseDomain;

/** Whether the person still has to decide if the company file is used. */
export const isCompanyUndecided = (state: Known): boolean =>
  companyFileIn(state) !== undefined && state.answers.company === undefined;

const companyIn = (state: Known) => (state.answers.company === 'use' ? companyFileIn(state)?.company : undefined);

/** Returns the kinds of platform that this run may meet, the usual one first; only the company file's if it is used. */
export const kindsIn = (state: Known): readonly Platform[] => {
  const company = companyIn(state);
  return company ? [company.platform] : kindsOf(state.settings);
};

/** Returns the suggestions of the company file, if it is used. */
export const companyDefaultsIn = (state: Known): CompanyDefaults => companyIn(state)?.defaults ?? {};

/**
 * Returns the contact for questions about the platform: from the company file if it is used, otherwise the one that
 * was saved with the deployment.
 */
export const contactIn = (state: Known): string | undefined => {
  const {saved} = state.settings;
  const isSaved = saved !== undefined && saved.baseDomain === state.facts.deployment?.baseDomain;
  return companyIn(state)?.contact ?? (isSaved ? saved.contact : undefined);
};

/** Returns the initial values of the choice of assistants. Flags take precedence over the company file. */
export const connectIn = (state: Known): NonNullable<Settings['connect']> => {
  const {scope, method, tools, assistantsAs} = companyDefaultsIn(state);
  return {
    ...(scope ? {scope} : {}),
    ...(method ? {method} : {}),
    ...(tools ? {tools} : {}),
    ...(assistantsAs ? {actsAs: assistantsAs} : {}),
    ...state.settings.connect,
  };
};

/** Returns the base domain whose company file has to be looked for; undefined if there is nothing to look for. */
export const companyDomainIn = ({settings, answers, facts}: Known): string | undefined => {
  const {baseDomain, addresses} = answers;
  const isWanted = settings.version !== undefined && addresses?.controlPlaneUrl === undefined;
  const isKnown = companyFileIn({settings, answers, facts}) || facts.companyFile?.baseDomain === baseDomain;
  return isWanted && !isKnown ? baseDomain : undefined;
};

/** Whether a company file says anything about the platform that is not known already. */
export const isNews = ({company}: CompanyFile, {settings}: Pick<WizardState, 'settings'>): boolean =>
  kindsOf(settings).every(({changes}) => JSON.stringify(changes) !== JSON.stringify(company.platform.changes));

/** Whether only the observer is missing, so that the rest of the platform can still be used. */
export const isObserverMissing = ({code, about}: Failure): boolean =>
  code === 'platform-observer-missing' || about?.isObserver === true;
