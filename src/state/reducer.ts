import {accountState} from './derived/assistants-account.ts';
import {clientSecretOf} from './derived/wizard-context.ts';
import {isResumed, isSignedIn} from './derived/wizard-deployment.ts';
import type {WizardEvent} from './events.ts';
import type {Answers, CallLine, Facts, Failure, StepId, WizardState} from './model.ts';
import {isClientCertificate} from './network-answers.ts';
import {isHome} from './step.ts';
import {isAboutClient} from './steps/sign-in/sign-in-recovery.ts';
import {currentStep, stepOf, steps} from './steps.ts';

/** Returns the state after an event. */
export const reduce = (state: WizardState, event: WizardEvent): WizardState => {
  switch (event.type) {
    case 'step-started':
      // A step that runs again warns again of what is still true.
      return {
        ...state,
        progress: [],
        progressOf: event.step,
        warnings: state.warnings.filter(({step}) => step !== event.step),
      };
    case 'answered': {
      const reopened = reopenedBy(event.answers);
      const {failure: _, answeredFailure: __, ...rest} = ofAccount(reopened ? forget(state, reopened) : state, event);
      const chosen = event.answers.connect ? {chosen: event.answers.connect} : {};
      return {
        ...rest,
        ...chosen,
        ...answeredIn(state, reopened === 'find-deployment'),
        asked: askedIn(state),
        answers: withClient(
          ofPlatform(readableIn(knownTo(event.answers, rest), state.failure), event.answers),
          reopened === 'find-deployment' ? leavingSaved(state, event.answers) : event.answers,
        ),
      };
    }
    case 'learned': {
      const {left, answeredFailure: _, takenBack: __, ...rest} = state;
      // A new token replaces the sign-in that the person could have kept.
      const next = event.facts.token || !left ? rest : {...rest, left};
      return {...next, facts: {...state.facts, ...event.facts}};
    }
    case 'selection-changed':
      return {...state, chosen: event.connect};
    case 'renewed':
      return {...state, facts: {...state.facts, ...event.facts}};
    case 'failed':
      return {...state, failure: event.failure, ...refusedIn(state, event.failure)};
    case 'went-back':
      return {
        ...forget(withPlatformsClient(state, event.to), event.to),
        ...leaving(state),
        ...failedWayOf(state, event.to),
        ...failureNow(state),
      };
    case 'stayed-signed-in': {
      const {left, ...rest} = state;
      if (!left) return state;
      const {answers, facts} = rest;
      return {
        ...rest,
        asked: askedIn(state),
        answers: {...answers, ...left.answers},
        facts: {...facts, ...left.facts},
      };
    }
    case 'diagnosed':
      return {...state, facts: {...atHome(state), diagnosed: event.verdict}};
    case 'retried': {
      const {failure: _, ...rest} = state;
      return rest;
    }
    case 'reconsidered': {
      const {answeredFailure, failure: _, ...rest} = state;
      return answeredFailure ? {...rest, ...answeredFailure, takenBack: state.answers} : state;
    }
    case 'saved-context-changed':
      return {...state, settings: {...state.settings, saved: event.saved}};
    case 'tools-looked-at':
      return {...state, looked: [...(state.looked ?? []), event.tools]};
    case 'call-started': {
      const {call, method, url} = event;
      return {...state, calls: [...state.calls, {call, step: currentStep(state).id, method, url}]};
    }
    case 'call-answered':
      return answerCall(state, event.call, {
        result: String(event.status),
        failed: event.status >= 400,
        ...timing(event),
      });
    case 'call-failed':
      return answerCall(state, event.call, {result: event.message, failed: true, ...timing(event)});
    case 'warning':
      return state.warnings.some(({message}) => message === event.message)
        ? state
        : {...state, warnings: [...state.warnings, {step: currentStep(state).id, message: event.message}]};
    case 'assistants-seen':
      return {...state, seen: event.names};
    case 'client-created':
      return {...state, progress: [...state.progress, event], created: [...state.created, event.clientId]};
    default:
      return {...state, progress: [...state.progress, event]};
  }
};

/** Returns the facts. On the home screen, the state of the sign-in is dropped: a diagnosis may have renewed it. */
const atHome = (state: WizardState): Facts =>
  isHome(currentStep(state).id) ? without(state.facts, ['inspectedSignIn', 'connection']) : state.facts;

/** Returns the failure that the person leaves for a question, so that Esc can lead back to it. */
const failureNow = ({failure, answers, facts, progress}: WizardState): Pick<WizardState, 'answeredFailure'> =>
  failure ? {answeredFailure: {failure, answers, facts, progress}} : {};

/**
 * Returns what Esc leads back to once this answer is given: a failure, or the platform that was found before the person
 * looks for another one, which may not exist. A failure that occurs twice in a row is kept once.
 */
const answeredIn = (
  {failure, answers, facts, progress, answeredFailure}: WizardState,
  isSearchedAgain: boolean,
): Partial<WizardState> => {
  if (!failure) return isSearchedAgain && facts.deployment ? {answeredFailure: {answers, facts, progress}} : {};
  const former = answeredFailure?.failure;
  const isAgain = former?.code === failure.code && former.step === failure.step;
  const before = isAgain ? answeredFailure?.answeredFailure : answeredFailure;
  return {answeredFailure: {failure, answers, facts, progress, ...(before ? {answeredFailure: before} : {})}};
};

/** Returns answers that name a platform. They end a run that continues the saved one, which looks for none. */
const leavingSaved = ({answers}: WizardState, changes: Partial<Answers>): Partial<Answers> =>
  isResumed({answers}) ? {resume: 'anew', ...changes} : changes;

/** Returns the earlier answers. A person who starts over keeps only what flags said. */
const knownTo = (
  {begun}: Partial<Answers>,
  {answers, initialAnswers}: Pick<WizardState, 'answers' | 'initialAnswers'>,
): Answers => (begun === 'anew' ? initialAnswers : answers);

/** Returns the answers without a file that could not be read: with it, every other answer would fail again. */
const readableIn = (answers: Answers, failure: Failure | undefined): Answers => {
  const {flag} = failure?.about ?? {};
  if (flag === 'ca-file') return without(answers, ['authority']);
  if (!isClientCertificate(flag) || !answers.network) return answers;
  return {...answers, network: without(answers.network, ['clientCertificate'])};
};

/** Returns the answered questions, with the current one. A choice after a failure answers no question. */
const askedIn = (state: WizardState): readonly StepId[] => {
  if (state.failure) return state.asked;
  const {id, kind} = currentStep(state);
  return kind === 'ask' && !state.asked.includes(id) ? [...state.asked, id] : state.asked;
};

/**
 * Returns the sign-in from which the person goes back, so that they can keep it. A sign-in that a server has refused is
 * not worth keeping; an account that lacks a role is signed in all the same.
 */
const leaving = (state: WizardState): Pick<WizardState, 'left'> => {
  const {answers, facts, failure, left} = state;
  const isRefused = failure?.code.startsWith('auth-') && failure.code !== 'auth-no-role';
  // A sign-in that is saved already needs no copy here: the store has it, with parts that this run has not read.
  if (!facts.token || isRefused || isSignedIn(state)) return left ? {left} : {};
  const issuer = facts.deployment?.issuer;
  const signInFactsNow = {...only(facts, signInFacts), token: facts.token};
  return {left: {issuer, answers: only(answers, signInAnswers), facts: signInFactsNow}};
};

/**
 * Returns the way to sign in that failed, if the person goes back to choose another one. An account that lacks a
 * permission has not failed to sign in: another account may sign in the same way. A way has not failed
 * either if the deployment cannot be reached.
 */
const failedWayOf = ({failure, answers: {signIn}}: WizardState, to: StepId): Pick<WizardState, 'failedWay'> => {
  const isFailed =
    failure &&
    failure.code !== 'auth-permission-missing' &&
    failure.code !== 'auth-no-role' &&
    stepOf(failure.step).stage !== 'deployment';
  return isFailed && signIn !== undefined && to === 'sign-in' ? {failedWay: signIn} : {};
};

/** Returns the refused secrets, with the one that this failure is about. */
const refusedIn = (state: WizardState, {code, step}: Failure): Pick<WizardState, 'refusedSecrets'> => {
  if (code !== 'auth-client-refused') return {};
  const secret = clientSecretOf(stepOf(step).stage === 'assistants' ? accountState(state) : state);
  return secret ? {refusedSecrets: [...(state.refusedSecrets ?? []), secret]} : {};
};

/**
 * Drops the client ID that was entered for a browser sign-in, if the person goes back because of that client: the same
 * way, chosen once more, uses the client that the platform names. A client ID from a flag stays.
 */
const withPlatformsClient = (state: WizardState, to: StepId): WizardState => {
  const {failure, answers, initialAnswers} = state;
  const isEntered = answers.clientId !== undefined && answers.clientId !== initialAnswers.clientId;
  if (to !== 'sign-in' || answers.signIn !== 'browser' || !isEntered || !failure || !isAboutClient(failure.code)) {
    return state;
  }
  return {...state, answers: without(answers, ['clientId', 'clientFor'])};
};

const signInAnswers: readonly (keyof Answers)[] = [
  ...(['signIn', 'signInBy', 'signInAnew', 'assumesPkce', 'clientId', 'clientFor', 'clientSecret'] as const),
  ...(['clientEntered', 'adminUsername', 'applicationId', 'adminPassword', 'adminEntered', 'existingClient'] as const),
];

const signInFacts: readonly (keyof Facts)[] = [
  ...(['keptClient', 'client', 'cliClient', 'token', 'serverTokens', 'ownResources', 'ownTokens'] as const),
  'signInSaved',
];

/** Drops answers that apply to one platform only, if another one is named: the trusted authority, the company file. */
const ofPlatform = (known: Answers, changes: Partial<Answers>): Answers => {
  // A platform without a base domain is always treated as another one.
  const isAnother =
    'baseDomain' in changes && (changes.baseDomain === undefined || changes.baseDomain !== known.baseDomain);
  if (!isAnother) return known;
  return without(known, [
    ...(changes.authority ? [] : (['authority'] as const)),
    ...(known.baseDomain ? (['company'] as const) : []),
  ]);
};

/** Merges the answers. A client ID belongs to the way to sign in that it was given for: another way drops it. */
const withClient = (known: Answers, changes: Partial<Answers>): Answers => {
  const answers = {...known, ...changes};
  const {signIn} = answers;
  if (changes.clientId !== undefined) return signIn ? {...answers, clientFor: signIn} : answers;
  const isAnothers = answers.clientFor !== undefined && signIn !== undefined && answers.clientFor !== signIn;
  return isAnothers ? without(answers, ['clientId', 'clientFor', 'clientSecret']) : answers;
};

/**
 * Returns the state without what the account of the assistants has learnt from answers of its own that have changed. The
 * steps of its sign-in depend on these answers as those of the person's own sign-in do.
 */
const ofAccount = (state: WizardState, {answers: {account}}: {readonly answers: Partial<Answers>}): WizardState => {
  const {answers, facts} = state;
  if (!account || !facts.account) return state;
  const isChanged = ([key, value]: [string, unknown]) => value !== answers.account?.[key as keyof Answers];
  const reopened = reopenedBy(Object.fromEntries(Object.entries(account).filter(isChanged)));
  if (!reopened) return state;
  const known = forget({...state, facts: facts.account}, reopened).facts;
  return {...state, facts: {...without(facts, ['accountAccess']), account: known}};
};

/** Returns the first step that depends on one of these answers. */
const reopenedBy = (answers: Partial<Answers>): StepId | undefined =>
  steps.find(step => step.reopenedBy?.some(key => key in answers))?.id;

/**
 * Forgets the results of `from` and of every later step, so that these run again. Typed values stay as suggestions. A
 * question that a flag has answered is not asked, unless it is the one that the person went back to.
 */
const forget = (state: WizardState, from: StepId): WizardState => {
  const later = steps.slice(steps.findIndex(({id}) => id === from));
  const {failure: _, answeredFailure: __, ...rest} = state;
  const forgotten = later.flatMap(({forgets}) => [...forgets.answers]);
  const asked = later[0]?.forgets.answers ?? [];
  const restored = only(
    state.initialAnswers,
    forgotten.filter(key => !asked.some(one => one === key)),
  );
  return {
    ...rest,
    answers: {...without(rest.answers, forgotten), ...restored},
    facts: without(
      rest.facts,
      later.flatMap(({forgets}) => [...forgets.facts]),
    ),
    asked: rest.asked.filter(id => !later.some(step => step.id === id)),
    progress: [],
    warnings: [],
  };
};

const only = <T extends object>(object: T, keys: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key as keyof T))) as Partial<T>;

const without = <T extends object>(object: T, keys: readonly (keyof T)[]): T =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key as keyof T))) as T;

const timing = ({ms, curl}: {ms: number; curl: string}) => ({ms, curl});

const answerCall = (state: WizardState, call: number, answer: NonNullable<CallLine['answer']>): WizardState => ({
  ...state,
  calls: state.calls.map(line => (line.call === call ? {...line, answer} : line)),
});
