import {withoutSlash} from '../../domain/address.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Subject, UnsavedSignIn} from '../../flows/diagnosis/check.ts';
import {type BaseDomain, candidatesOf, parseBaseDomain} from '../../platform/addresses.ts';
import {accountAfterwards, changesAccount, createsAccount, purposeIn} from '../derived/assistants-account.ts';
import {clientSecretOf, contextOf, methodOf} from '../derived/wizard-context.ts';
import {kindsOf, platformOf} from '../derived/wizard-deployment.ts';
import {entriesBefore} from '../derived/wizard-targets.ts';
import type {WizardState} from '../model.ts';
import {stepOf} from '../steps.ts';

type Whereabouts = Pick<WizardState['settings'], 'platform' | 'kinds' | 'layout'> &
  Pick<WizardState['answers'], 'baseDomain' | 'addresses'>;

/** Returns the base domain that was given, or the usual one. @throws SetupError `input-invalid` */
export const baseDomainAt = ({baseDomain, ...settings}: Omit<Whereabouts, 'addresses' | 'layout'>): BaseDomain =>
  parseBaseDomain(baseDomain ?? settings.platform.localBaseDomain, kindsOf(settings));

/**
 * Returns the deployment that a base domain and addresses describe.
 *
 * @param base the base domain as it was found to be served (https or http); by default, as it was given
 * @throws SetupError `input-invalid`; `input-required` if they give no address of a server
 */
export const subjectAt = (whereabouts: Whereabouts, base: BaseDomain = baseDomainAt(whereabouts)): Subject => {
  const {platform, addresses = {}, layout} = whereabouts;
  const candidates = candidatesOf(platform, base, addresses, layout === 'auto' ? 'single' : layout);
  const urlOf = (service: string) => candidates.find(one => one.service === service)?.url;
  const [controlPlaneUrl, observerUrl, authUrl] = ['control-plane', 'observer', 'identity-provider'].map(urlOf);
  if (!controlPlaneUrl || !authUrl) {
    throw new SetupError('input-required', 'Neither the control plane nor the identity provider has an address.', {
      remedy: 'Enter the platform’s base domain first.',
    });
  }
  const found = {platform, controlPlaneUrl, ...(observerUrl ? {observerUrl} : {})};
  return {...found, authUrl: withoutSlash(authUrl), issuer: addresses.issuer ?? authUrl};
};

type Found = Pick<Subject, 'controlPlaneUrl' | 'observerUrl' | 'authUrl' | 'issuer'>;

const subjectFrom = (
  {controlPlaneUrl, observerUrl, authUrl, issuer}: Found,
  platform: Subject['platform'],
): Subject => ({
  platform,
  controlPlaneUrl,
  ...(observerUrl ? {observerUrl} : {}),
  authUrl,
  issuer,
});

/**
 * Returns what a diagnosis from the wizard is about: the platform that it found, that is saved, or that it looked for.
 * Undefined if it has no address to look at.
 *
 * @param base the base domain as it was found to be served (https or http); by default, as it was given
 */
export const subjectIn = (state: WizardState, base?: BaseDomain): Subject | undefined => {
  const {settings, answers, facts} = state;
  const {saved} = settings;
  const platform = platformOf(state);
  const {deployment} = facts;
  // A deployment that this run has saved is treated like one that was saved before.
  if (facts.written ?? facts.signInSaved) {
    const account = accountAfterwards(state);
    const context = {
      ...contextOf(state),
      ...(account ? {assistantsAccount: account} : {}),
      entries: facts.plan?.entries ?? entriesBefore(state),
    };
    return {...subjectFrom(context, platform), context};
  }
  const isSaved = saved !== undefined && answers.resume !== 'anew' && answers.begun !== 'go-on';
  const found = isSaved ? saved : deployment;
  if (found) {
    return {...subjectFrom(found, platform), ...(isSaved ? {context: saved} : inWizard(state)), ...assistantsIn(state)};
  }
  try {
    return {...subjectAt({...settings, ...answers}, base), ...inWizard(state)};
  } catch {
    return undefined;
  }
};

/** Returns the account that this run gives the assistants, once it is signed in, or whose purpose it changes. */
const assistantsIn = (state: WizardState): Pick<Subject, 'assistants'> => {
  const purpose = purposeIn(state);
  const token = state.facts.account?.token?.access;
  if (purpose === undefined || !changesAccount(state) || (createsAccount(state) && !token)) return {};
  return {assistants: {purpose, ...(token ? {token} : {})}};
};

const inWizard = (state: WizardState) => ({inWizard: true as const, ...unsavedSignInIn(state)});

/** Returns the sign-in that this run has, or is about to have. */
const unsavedSignInIn = (state: WizardState): {readonly unsaved?: UnsavedSignIn} => {
  const {answers, facts, failure} = state;
  if (answers.signIn === undefined) return {};
  const clientId = facts.cliClient?.clientId ?? facts.client?.clientId ?? answers.clientId;
  return {
    unsaved: {
      method: methodOf(state),
      ...(clientId === undefined ? {} : {clientId}),
      ...(facts.token ? {token: facts.token} : {}),
      ...(facts.token?.renewable ? {isRenewedLater: true as const} : {}),
      ...(failure && !facts.token && stepOf(failure.step).stage === 'sign-in' ? {failure} : {}),
      ...(facts.serverTokens ? {serverTokens: facts.serverTokens} : {}),
      secrets: [clientSecretOf(state), answers.adminPassword].filter(secret => secret !== undefined),
    },
  };
};
