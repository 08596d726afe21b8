import type {SetupError} from '../errors/errors.ts';
import type {Flow, FlowEvent} from '../flows/flow.ts';
import type {WizardEvent} from './events.ts';
import type {Answers, Facts, Failure, Settings, StepId, WizardState} from './model.ts';
import type {
  AssistantsView,
  DoneView,
  FormView,
  GuideOnRequest,
  Offer,
  ProgressRow,
  QuestionView,
  Receipt,
  ReviewView,
  WaitingView,
} from './view/view.ts';

/** The parts of the wizard that the rail at the top shows. */
export type Stage = 'deployment' | 'sign-in' | 'check' | 'assistants' | 'review';

/**
 * What a step does when its turn comes: it runs a flow with input from the state, and the result becomes facts. A flow is
 * loaded when it starts, because the first screen needs none of them.
 */
export type StepFlow = Flow<WizardState, Partial<Facts>>;

/** What paths are shown by: the home directory, and the directory of a demonstration. */
export type PathsShown = Pick<Settings, 'demo'> & {readonly place: Pick<Settings['place'], 'home'>};

/** How an event of a step's flow is told: as a row of the running step, and as a line where nothing can be redrawn. */
export type EventText<Event> = {
  row?(event: Event, settings: Settings): ProgressRow;
  line?(event: Event, shownAs: PathsShown): string;
};

export type EventTexts = {readonly [T in FlowEvent['type']]?: EventText<Extract<FlowEvent, {type: T}>>};

/** What a person can do about a failure of a step. By default they can only try again. */
export type Recovery = {
  /** The likeliest first. Trying again is added. */
  readonly offers: readonly Offer[];
  readonly heading?: string;
  /** Set where nothing went wrong, such as when no platform was found. */
  readonly isNoTrouble?: true;
  /** What to do, in the place of the failure’s own remedy, which may name a flag where a choice is offered. */
  readonly advice?: string;
  /** Whether the rows of the step say more than the call that failed. */
  readonly showsRows?: true;
  /** What trying again does, where the same step would only fail once more. */
  readonly retry?: WizardEvent;
  /** How the client is registered that may be missing, shown on request. */
  readonly guide?: GuideOnRequest;
};

type Common = {
  readonly id: StepId;
  readonly stage: Stage;
  /** What it does or asks, as a heading. */
  readonly title: string;
  when?(state: WizardState): boolean;
  done(state: WizardState): boolean;
  /** Answers and facts that came from this step: going back to it forgets these, and those of every later step. */
  readonly forgets: {readonly answers: readonly (keyof Answers)[]; readonly facts: readonly (keyof Facts)[]};
  /** Answers of later questions that this step was built on: a change of one makes it run again. */
  readonly reopenedBy?: readonly (keyof Answers)[];
  recovery?(state: WizardState, failure: Failure): Recovery;
  receipts?(state: WizardState): readonly Receipt[];
};

type Titled<V> = V extends {readonly heading: string} ? Omit<V, 'heading'> & Partial<Pick<V, 'heading'>> : never;

/** A question. It has the title of its step, unless it has a heading of its own. */
export type Asked = Titled<QuestionView | FormView | AssistantsView | ReviewView | DoneView>;

/** Waits for a person, or for the flag that it names. */
export type AskStep = Common & {
  readonly kind: 'ask';
  readonly flag: string;
  /** @param now milliseconds since the epoch */
  ask(state: WizardState, now: number): Asked;
  /** What is found out while the question stands, which it does not wait for: it ends with facts, whatever comes of it. */
  beside?(state: WizardState): StepFlow | undefined;
  /** What it is answered with when nobody is there to ask; undefined when only a person can say. `yes`: as `--yes` says. */
  defaultAnswer?(state: WizardState, yes: boolean): Partial<Answers> | undefined;
  /** Why nobody but a person can answer, where that is more than a missing flag. */
  inputRequired?(state: WizardState): SetupError;
};

/** Runs a flow, whose result becomes facts. */
export type RunStep = Common & {
  readonly kind: 'run';
  /** How a failure of it is headed, such as “Sign-in failed”. */
  readonly failed: string | ((state: WizardState) => string);
  readonly run: StepFlow;
  /** The rows that are still to come, where that is known. */
  pendingRows?(state: WizardState): readonly ProgressRow[];
  /** Set where its rows say enough, and its calls are not listed below them. */
  readonly hidesCalls?: true;
  /** What a person is asked for while it runs. @param now milliseconds since the epoch */
  waitingView?(state: WizardState, now: number): WaitingView | undefined;
  readonly eventTexts?: EventTexts;
};

export type Step = AskStep | RunStep;

export const nothing = {answers: [], facts: []} as const;
export const learns = (...facts: readonly (keyof Facts)[]) => ({answers: [], facts});
export const asks = (...keys: readonly (keyof Answers)[]) => ({answers: keys, facts: []});

/** A row of something that is waited for, for `atMost` milliseconds; undefined where its time has not begun. */
export const waiting = (key: string, label: string, atMost: number | undefined, value = ''): ProgressRow => ({
  key,
  status: 'waiting',
  label,
  value,
  ...(atMost === undefined ? {} : {atMost}),
});

/** A row of something that went well; `ms` is how long it took. */
export const ok = (key: string, label: string, value: string, ms?: number): ProgressRow => ({
  key,
  status: 'ok',
  label,
  value,
  ...(ms === undefined ? {} : {ms}),
});

/** An event that nobody needs to be told of. */
export const silent = {};
