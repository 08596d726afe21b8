import type {SetupError} from '../errors/errors.ts';
import type {FlowEvent} from '../flows/flow.ts';
import type {Ports} from '../ports/ports.ts';
import type {Answers, Facts, Failure, Settings, StepId, WizardState} from './model.ts';
import type {
  AssistantsView,
  DoneView,
  FormView,
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
 * What a step does when it is its turn: a flow with its input from the state, whose result becomes facts. Each flow is
 * loaded when it starts, as the first screen needs none of them.
 */
export type StepFlow = (
  state: WizardState,
  ports: Ports,
  signal: AbortSignal,
) => AsyncGenerator<FlowEvent, Partial<Facts>, void>;

/** How an event of a step's flow is told: as a row of the running step, and as a line where nothing can be redrawn. */
export type Telling<Event> = {
  row?(event: Event, settings: Settings): ProgressRow;
  line?(event: Event, home: string): string;
};

export type Tells = {readonly [T in FlowEvent['type']]?: Telling<Extract<FlowEvent, {type: T}>>};

/** What a failure of a step is to a person: by default a trouble with nothing to do but to try again. */
export type Recovery = {
  /** The likeliest first. Trying again is added. */
  readonly offers: readonly Offer[];
  readonly heading?: string;
  /** That nothing was found is no fault of anybody's. */
  readonly isNoTrouble?: true;
  /** Whether the rows of the step say more than the call that failed. */
  readonly showsRows?: true;
  /** The control plane values that may be missing, shown on request. */
  readonly values?: string;
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
  recover?(state: WizardState, failure: Failure): Recovery;
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
  /** What it is answered with when nobody is there to ask; undefined when only a person can say. `yes`: as `--yes` says. */
  unattended?(state: WizardState, yes: boolean): Partial<Answers> | undefined;
  /** Why nobody but a person can answer, where that is more than a missing flag. */
  missing?(state: WizardState): SetupError;
};

/** Runs a flow, whose result becomes facts. */
export type RunStep = Common & {
  readonly kind: 'run';
  readonly run: StepFlow;
  /** The rows that are still to come, where that is known. */
  expects?(state: WizardState): readonly ProgressRow[];
  /** Whether its calls are shown below its rows. */
  readonly hidesCalls?: true;
  /** What a person is asked for while it runs. @param now milliseconds since the epoch */
  waits?(state: WizardState, now: number): WaitingView | undefined;
  readonly tells?: Tells;
};

export type Step = AskStep | RunStep;

export const nothing = {answers: [], facts: []} as const;
export const learns = (...facts: readonly (keyof Facts)[]) => ({answers: [], facts});
export const asks = (...keys: readonly (keyof Answers)[]) => ({answers: keys, facts: []});

/** A row of something that is waited for, for `atMost` milliseconds. */
export const waiting = (key: string, label: string, atMost: number, value = ''): ProgressRow => ({
  key,
  status: 'waiting',
  label,
  value,
  atMost,
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
