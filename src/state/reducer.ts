import {toSetupError} from '../errors/errors.ts';
import {type Untrusted, untrustedLines} from '../flows/deployment/untrusted.ts';
import type {FlowEvent} from '../flows/flow.ts';
import type {Answers, CallLine, Facts, Failure, WizardState} from './model.ts';
import {currentStep, type StepId, steps, stepsOf} from './steps.ts';

/** What happens to the wizard: what flows tell, what they end with, and what the person decides. */
export type WizardEvent =
  | FlowEvent
  | {readonly type: 'step-started'; readonly step: StepId}
  | {readonly type: 'answered'; readonly answers: Partial<Answers>}
  | {readonly type: 'learned'; readonly step: StepId; readonly facts: Partial<Facts>}
  | {readonly type: 'failed'; readonly failure: Failure}
  | {readonly type: 'went-back'; readonly to: StepId}
  | {readonly type: 'retried'};

export const reduce = (state: WizardState, event: WizardEvent): WizardState => {
  switch (event.type) {
    case 'step-started':
      return {...state, progress: [], progressOf: event.step};
    case 'answered': {
      const reopened = reopenedBy(event.answers);
      const {failure: _, ...kept} = reopened ? forget(state, reopened) : state;
      const chosen = event.answers.connect ? {chosen: event.answers.connect} : {};
      return {...kept, ...chosen, answers: withClient(ofPlatform(kept.answers, event.answers), event.answers)};
    }
    case 'learned':
      return {...state, facts: {...state.facts, ...event.facts}};
    case 'failed':
      return {...state, failure: event.failure};
    case 'went-back':
      return forget(state, event.to);
    case 'retried': {
      const {failure: _, ...kept} = state;
      return kept;
    }
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
      return state.warnings.includes(event.message) ? state : {...state, warnings: [...state.warnings, event.message]};
    case 'client-created':
      return {...state, progress: [...state.progress, event], created: [...state.created, event.clientId]};
    case 'secret-taken':
    case 'cli-client-found':
    case 'second-sign-in':
    case 'sign-in-waiting':
    case 'browser-opened':
    case 'paste-refused':
    case 'device-code':
    case 'token-revoked':
    case 'source-started':
    case 'source-answered':
    case 'probe-started':
    case 'probe-answered':
    case 'layout-decided':
    case 'application-found':
    case 'admin-signed-in':
    case 'token-obtained':
    case 'health-checked':
    case 'token-checked':
    case 'role-awaited':
    case 'server-checked':
    case 'assistant-found':
    case 'check-started':
    case 'check-finished':
    case 'file-planned':
    case 'file-written':
    case 'server-verified':
      return {...state, progress: [...state.progress, event]};
    default:
      return event satisfies never;
  }
};

/** Whom one trusts for a platform says nothing of another one. */
const ofPlatform = (known: Answers, {baseDomain, authority}: Partial<Answers>): Answers =>
  baseDomain === undefined || baseDomain === known.baseDomain || authority ? known : without(known, ['authority']);

/** A client's name belongs to the way to sign in that it was given for, and is forgotten with another one. */
const withClient = (known: Answers, said: Partial<Answers>): Answers => {
  const answers = {...known, ...said};
  const {signIn} = answers;
  if (said.clientId !== undefined) return signIn ? {...answers, clientFor: signIn} : answers;
  const isAnothers = answers.clientFor !== undefined && signIn !== undefined && answers.clientFor !== signIn;
  return isAnothers ? without(answers, ['clientId', 'clientFor']) : answers;
};

/** The step that Esc leads to: the nearest question before the current step, if there is one. */
export const stepBefore = (state: WizardState): StepId | undefined => {
  const present = stepsOf(state);
  const at = present.indexOf(currentStep(state));
  return present.slice(0, at).findLast(step => step.kind === 'ask')?.id;
};

/** What is said of a server that nobody here trusts, with who vouches for it. */
const withWhoSigned = ({message, remedy}: Pick<Failure, 'message' | 'remedy'>, untrusted: Untrusted) => {
  const {origin, interceptor} = untrusted;
  const lines = untrustedLines(untrusted).join('\n');
  if (interceptor === undefined) {
    const compare =
      'Compare the fingerprint with the one that its operators publish. Without a terminal, pass the authority: --ca-file FILE.';
    return {message, remedy: `${untrusted.isWhole ? compare : remedy}\n\n${lines}`, untrusted};
  }
  return {
    message: `${origin} is not reached directly: ${interceptor} intercepts the connection and signs with an authority that this machine does not know.`,
    remedy: `If your company runs it, get its authority from your administrators. If you did not expect it, stop. Without a terminal, pass the authority: --ca-file FILE.\n\n${lines}`,
    untrusted,
  };
};

export const failureOf = (
  error: unknown,
  step: StepId,
  {created, facts: learned}: WizardState,
  untrusted?: Untrusted,
): Failure => {
  const {code, whose, message: told, remedy: advised, about: facts} = toSetupError(error);
  const said = {message: told, remedy: advised};
  const {message, remedy, ...about} = untrusted ? withWhoSigned(said, untrusted) : said;
  const [clientId] = created;
  // What was made is there whatever failed after it, and nobody has to make it again.
  const kept =
    clientId === undefined || learned.written
      ? ''
      : ` The MCP client ${clientId} was created and saved. The next run continues with it.`;
  const [, block] = /\n\n([\s\S]+)$/.exec(remedy) ?? [];
  const isObserver = facts.isObserver ? {isObserver: true as const} : {};
  return {step, code, message: `${message}${kept}`, remedy, ...(block ? {block} : {}), ...about, ...isObserver, whose};
};

/** Answers on which an earlier step was built: a change of one makes that step run again. */
const builtOn: {readonly [K in keyof Answers]?: StepId} = {
  baseDomain: 'find-deployment',
  addresses: 'find-deployment',
  clientId: 'create-client',
  applicationId: 'create-client',
  existingClient: 'create-client',
};

const reopenedBy = (answers: Partial<Answers>): StepId | undefined => {
  const reopened = Object.keys(answers).map(key => builtOn[key as keyof Answers]);
  return steps.find(({id}) => reopened.includes(id))?.id;
};

/**
 * Forgets what `from` and every later step brought, so that they happen again. Typed values stay as suggestions, and what
 * a flag has answered is not asked after all, unless it is what the person went back for.
 */
const forget = (state: WizardState, from: StepId): WizardState => {
  const later = steps.slice(steps.findIndex(({id}) => id === from));
  const {failure: _, ...kept} = state;
  const forgotten = later.flatMap(({forgets}) => [...forgets.answers]);
  const asked = later[0]?.forgets.answers ?? [];
  const given = only(
    state.given,
    forgotten.filter(key => !asked.some(one => one === key)),
  );
  return {
    ...kept,
    answers: {...without(kept.answers, forgotten), ...given},
    facts: without(
      kept.facts,
      later.flatMap(({forgets}) => [...forgets.facts]),
    ),
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
