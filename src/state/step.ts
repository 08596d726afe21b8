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

/** The parts of the wizard, as the rail at the top shows them. */
export type Stage = 'deployment' | 'sign-in' | 'check' | 'assistants' | 'review';

/**
 * What a step runs: a flow with input from the state, whose result becomes facts. A flow is loaded when it starts,
 * because the first screen needs none.
 */
export type StepFlow = Flow<WizardState, Partial<Facts>>;

/** The directories that shorten a path for the screen: the home directory, and that of a demonstration. */
export type PathsShown = {
  readonly demo?: Pick<NonNullable<Settings['demo']>, 'directory'>;
  readonly place: Pick<Settings['place'], 'home'>;
};

/** The texts of a flow's event: a row of the running step, and a line for output that cannot be redrawn. */
export type EventText<Event> = {
  row?(event: Event, settings: Settings): ProgressRow;
  line?(event: Event, shownAs: PathsShown): string;
};

export type EventTexts = {readonly [T in FlowEvent['type']]?: EventText<Extract<FlowEvent, {type: T}>>};

/** What a step adds to the screen of its failure, such as its own offers. */
export type Recovery = {
  /** The offers, the likeliest first. Trying again is added. */
  readonly offers: readonly Offer[];
  readonly heading?: string;
  /** True if nothing went wrong, such as when no platform was found. */
  readonly isNoTrouble?: true;
  /** Replaces the failure’s own remedy, which may name a flag although the screen offers a choice. */
  readonly advice?: string;
  /** True if the rows of the step say more than the call that failed. */
  readonly showsRows?: true;
  /** The event of “try again”, if running the same step again would only fail once more. */
  readonly retry?: WizardEvent;
  /** The guide for registering the client that may be missing, shown on request. */
  readonly guide?: GuideOnRequest;
};

type Common = {
  readonly id: StepId;
  readonly stage: Stage;
  /** The step's purpose or its question, as a heading. */
  readonly title: string;
  when?(state: WizardState): boolean;
  done(state: WizardState): boolean;
  /** The answers and facts that this step brought. Going back to it forgets these, and those of every later step. */
  readonly forgets: {readonly answers: readonly (keyof Answers)[]; readonly facts: readonly (keyof Facts)[]};
  /** Answers of later questions that this step depends on: if one changes, the step runs again. */
  readonly reopenedBy?: readonly (keyof Answers)[];
  recovery?(state: WizardState, failure: Failure): Recovery;
  receipts?(state: WizardState): readonly Receipt[];
};

type Titled<V> = V extends {readonly heading: string} ? Omit<V, 'heading'> & Partial<Pick<V, 'heading'>> : never;

/** A question. Its heading is the title of its step, unless it has one of its own. */
export type Asked = Titled<QuestionView | FormView | AssistantsView | ReviewView | DoneView>;

/** A step that waits for an answer, from a person or from the flag that it names. */
export type AskStep = Common & {
  readonly kind: 'ask';
  readonly flag: string;
  /** @param now milliseconds since the epoch */
  ask(state: WizardState, now: number): Asked;
  /** A flow that runs while the question is shown. The question does not wait for it. It always ends with facts. */
  beside?(state: WizardState): StepFlow | undefined;
  /** The answer if no person can be asked; undefined if only a person can decide. `yes`: `--yes` was given. */
  defaultAnswer?(state: WizardState, yes: boolean): Partial<Answers> | undefined;
  /** Why only a person can answer, if there is more to say than that a flag is missing. */
  inputRequired?(state: WizardState): SetupError;
};

/** A step that runs a flow, whose result becomes facts. */
export type RunStep = Common & {
  readonly kind: 'run';
  readonly run: StepFlow;
  /** The rows that are still to come, if these are known. */
  pendingRows?(state: WizardState): readonly ProgressRow[];
  /** True if the rows say enough, so that the calls are not listed below them. */
  readonly hidesCalls?: true;
  /** Returns the view that tells the person what to do while the step runs. @param now milliseconds since the epoch */
  waitingView?(state: WizardState, now: number): WaitingView | undefined;
  readonly eventTexts?: EventTexts;
};

export type Step = AskStep | RunStep;

export const nothing = {answers: [], facts: []} as const;
export const learns = (...facts: readonly (keyof Facts)[]) => ({answers: [], facts});
export const asks = (...keys: readonly (keyof Answers)[]) => ({answers: keys, facts: []});

/** Returns the row of a wait of `atMost` milliseconds; undefined means that its time limit does not run yet. */
export const waiting = (key: string, label: string, atMost: number | undefined, value = ''): ProgressRow => ({
  key,
  status: 'waiting',
  label,
  value,
  ...(atMost === undefined ? {} : {atMost}),
});

/** Returns the row of something that succeeded; `ms` is how long it took. */
export const ok = (key: string, label: string, value: string, ms?: number): ProgressRow => ({
  key,
  status: 'ok',
  label,
  value,
  ...(ms === undefined ? {} : {ms}),
});

/** The texts of an event that needs none. */
export const silent = {};

/** Whether a step is one of the two forms of the home screen, which comes before every step of a set-up. */
export const isHome = (id: StepId): boolean => id === 'home' || id === 'signed-out';
