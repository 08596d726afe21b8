import {isDeepStrictEqual} from 'node:util';
import {
  type AccountPurpose,
  type AssistantsAccount,
  accountIn,
  type Context,
  withAccount,
} from '../../domain/context.ts';
import type {KnownFault} from '../../errors/known-fault.ts';
import {releaseOf} from '../../platform/recognise.ts';
import type {WizardState} from '../model.ts';
import type {ActsAs} from '../selection.ts';
import {contextOf, DEFAULT_CLIENT_ID, formerContext} from './wizard-context.ts';
import {isLogin, isResumed, platformOf, savedOf, versionIn} from './wizard-deployment.ts';

/** Returns the account that the assistants of this run's deployment have so far. */
export const savedAccount = (state: WizardState): AssistantsAccount | undefined =>
  formerContext(state)?.assistantsAccount;

/**
 * Returns this run's deployment with the sign-in of the account that its assistants have so far; undefined if they have
 * none. The platform may have moved since that was saved.
 */
export const contextOfAccount = (state: WizardState): Context | undefined => {
  const account = savedAccount(state);
  return account && withAccount(isResumed(state) ? savedOf(state.settings) : contextOf(state), account);
};

/**
 * Whether this run signs in the account that the assistants have: as the person chose, or because a new set-up has found
 * it signed out.
 */
export const signsAccountIn = (state: WizardState): boolean =>
  savedAccount(state) !== undefined &&
  (state.answers.accountAnew ?? (!isResumed(state) && state.facts.accountSignedOut === true));

/**
 * Returns the purpose for which the person wants an account for the assistants; undefined if none was chosen now. An
 * account that signs in again keeps its purpose; one of unknown purpose is treated as one that looks.
 */
export const purposeIn = (state: WizardState): AccountPurpose | undefined => {
  const {connect} = state.answers;
  const kept = connect && signsAccountIn(state) ? (savedAccount(state)?.purpose ?? 'look') : undefined;
  const {actsAs = kept} = connect ?? {};
  return actsAs === 'you' ? undefined : actsAs;
};

/**
 * Whether this run signs in an account again whose purpose nobody has chosen: the sign-in does not choose one. The run
 * treats it as one that looks, which needs the least role.
 */
export const isPurposeUnknown = (state: WizardState): boolean =>
  signsAccountIn(state) && savedAccount(state)?.purpose === undefined && purposeIn(state) === 'look';

/** As whom assistants act unless the person chooses otherwise; undefined for an account whose purpose is not known. */
export const actsAsAtFirst = (state: WizardState): ActsAs | undefined => {
  const account = savedAccount(state);
  return account ? account.purpose : 'you';
};

/** Whether this run gives the assistants an account, or gives their account another purpose, or its role again. */
export const changesAccount = (state: WizardState): boolean => {
  const purpose = purposeIn(state);
  // A flag asks for the role, which the platform may have lost since.
  const {accountRole} = state.initialAnswers;
  const isGranted = accountRole === 'grant' || accountRole === 'kubectl';
  const {accountAccessAnew} = state.answers;
  const isOther =
    signsAccountIn(state) || accountAccessAnew === true || isGranted || purpose !== savedAccount(state)?.purpose;
  return !isLogin(state) && purpose !== undefined && isOther;
};

/** Whether this run signs in an account for the assistants: they have none yet, or theirs is signed out. */
export const createsAccount = (state: WizardState): boolean =>
  changesAccount(state) && (!savedAccount(state) || signsAccountIn(state));

/** Whether this run ends the account of the assistants, so that they act as the person. */
export const givesUpAccount = (state: WizardState): boolean =>
  !isLogin(state) && state.answers.connect?.actsAs === 'you' && savedAccount(state) !== undefined;

/** Whether the platform's release limits accounts by roles. True if the release is unknown. */
export const hasRoles = (state: WizardState): boolean => {
  const version = versionIn(state);
  return version === undefined || releaseOf(platformOf(state), version).roles !== undefined;
};

/** Returns why the account that the assistants use can do nothing, if it lacks a role and the person goes on. */
export const withoutRoleIn = (state: WizardState): KnownFault | undefined => {
  const {accountAccess, check} = state.facts;
  return accountAccess?.withoutRole ?? (hasOtherActor(state) ? undefined : check?.withoutRole);
};

/** Returns why the person can do nothing on the platform, if they lack a role and their assistants do not act as them. */
export const personWithoutRoleIn = (state: WizardState): KnownFault | undefined =>
  hasOtherActor(state) ? state.facts.check?.withoutRole : undefined;

/** Whether the assistants use another sign-in than that of this run. */
const hasOtherActor = (state: WizardState): boolean =>
  state.settings.saved?.actsAs === undefined && accountAfterwards(state) !== undefined;

/** The answers about an administrator, which are the same for every client that this run creates. */
const administrator = ['adminUsername', 'adminPassword', 'adminEntered', 'applicationId'] as const;

/** Returns the ID of the client that this program creates for the assistants. */
const accountClientId = ({ownClientId = DEFAULT_CLIENT_ID}: WizardState['settings']): string =>
  `${ownClientId}_assistants`;

/** Whether this program has created the client that the assistants have: then nobody knows its secret. */
export const hasCreatedClient = (state: WizardState): boolean =>
  savedAccount(state)?.clientId === accountClientId(state.settings);

/**
 * Returns the state as the sign-in of the assistants' account sees it: the same deployment, with its own answers and
 * facts, and nothing of the person's own sign-in except the administrator.
 */
export const accountState = (state: WizardState): WizardState => {
  const {settings, answers, facts} = state;
  const {
    saved: _,
    again: __,
    unfinished: ___,
    lastSignIn: ____,
    clientSecret: _____,
    secretFrom: ______,
    ...others
  } = settings;
  const admin = {...settings.presets['create-mcp-client'], ...answers};
  // --reset-secret is about every client that this run creates. An answer on the screen is about one.
  const {existingClient} = state.initialAnswers;
  const known = Object.fromEntries(
    administrator.flatMap(key => (admin[key] === undefined ? [] : [[key, admin[key]] as const])),
  );
  return {
    ...state,
    settings: {
      ...others,
      isAccount: true,
      presets: {},
      ownClientId: savedAccount(state)?.clientId ?? accountClientId(settings),
    },
    initialAnswers: {},
    answers: {
      ...known,
      ...(existingClient === undefined ? {} : {existingClient}),
      ...answers.account,
      deploymentAccepted: true,
    },
    facts: {...(facts.deployment ? {deployment: facts.deployment} : {}), ...facts.account},
  };
};

/** Returns the account that this run saves for the assistants; undefined if it changes none. */
export const accountOf = (state: WizardState): AssistantsAccount | undefined => {
  const purpose = purposeIn(state);
  if (!changesAccount(state) || purpose === undefined) return undefined;
  const saved = savedAccount(state);
  if (saved && !createsAccount(state)) return {...saved, purpose};
  const account = accountIn(accountContext(state));
  // The role stays with the client.
  const granted = saved?.clientId === account.clientId ? saved.granted : undefined;
  return {...account, ...(isPurposeUnknown(state) ? {} : {purpose}), ...(granted ? {granted} : {})};
};

/** Returns the account that the assistants have once this run has written its changes; undefined if they have none. */
export const accountAfterwards = (state: WizardState): AssistantsAccount | undefined =>
  givesUpAccount(state) ? undefined : (accountOf(state) ?? savedAccount(state));

/** Whether this run leaves the account of the assistants as it is saved, and only signs it in again. */
export const isSameAccount = (state: WizardState): boolean =>
  state.facts.accountAccess?.manifest === undefined && isDeepStrictEqual(accountOf(state), savedAccount(state));

const accountContext = (state: WizardState): Context => contextOf(accountState(state));
