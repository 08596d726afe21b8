import type {Secret} from '../../domain/secret.ts';
import type {ToolChoice} from '../../domain/tool-sets.ts';
import type {Whose} from '../../errors/error-row.ts';
import type {Plan} from '../../flows/assistants/plan-files.ts';
import type {FileChange, FlowEvent} from '../../flows/flow.ts';
import type {Guide} from '../../identity-providers/guide.ts';
import type {UserMessage} from '../../ports/ports.ts';
import type {WizardEvent} from '../events.ts';
import type {CallLine, StepId} from '../model.ts';
import type {AssistantSelection} from '../selection.ts';

/** Returns why a text is not acceptable, as a sentence; undefined if it is. */
export type Validate = (text: string) => string | undefined;

/** How a person leaves the wizard. */
export type Ending = 'done' | 'cancelled' | 'failed' | 'diagnose';

/** An offer. Taking it raises an event, asks for a text, asks for another choice, or leaves the wizard. */
export type Offer = {
  readonly label: string;
  readonly hint?: string;
  /**
   * Present if the offer can be taken only once everything above the question has been on the screen: its short label
   * until then.
   */
  readonly afterReading?: string;
  /** A key that takes the offer, wherever the choice is. The label says what the key does. */
  readonly shortcut?: {readonly key: string; readonly label: string};
} & (
  | {readonly event: WizardEvent}
  | {
      readonly ask: string;
      readonly initial: string;
      /** True if `initial` is a suggestion that typing replaces, and not a text to correct. */
      readonly isSuggested?: true;
      /** Says what is wrong with the typed text, if that can be told at once. */
      readonly validate?: Validate;
      toEvent(text: string): WizardEvent;
    }
  | {readonly which: string; readonly offers: readonly Offer[]}
  | {readonly leave: Ending}
);

/** One line of a running step: its subject, its status and its result. */
export type ProgressRow = {
  readonly key: string;
  readonly status: 'waiting' | 'ok' | 'warning' | 'failed' | 'none';
  readonly label: string;
  readonly value: string;
  readonly ms?: number;
  /** For a waiting row: the time limit, in milliseconds. */
  readonly atMost?: number;
};

/** A block above a question. `status` is a sentence with a sign before it. */
export type Block =
  | {readonly type: 'text'; readonly text: string; readonly tone?: 'dim'}
  | {readonly type: 'status'; readonly text: string; readonly status: 'ok' | 'warning'}
  | {readonly type: 'table'; readonly rows: readonly (readonly [name: string, value: string])[]}
  | {readonly type: 'rows'; readonly rows: readonly ProgressRow[]}
  | FailureBlock;

/** A failure: what happened, at which address, and who has to act. */
export type FailureBlock = {
  readonly type: 'failure';
  /** True if nothing went wrong and the person only has to decide. */
  readonly isCalm?: true;
  readonly message: string;
  readonly whose: Whose;
  readonly remedy: string;
  /** The lines at the end of the remedy, to be copied as they are. */
  readonly block?: string;
  /** True if the decision is about these lines, so that they come first. */
  readonly leads?: true;
  /** The failed call, unless the rows say more. */
  readonly call?: CallLine;
  readonly rows: readonly ProgressRow[];
};

/** The guide for registering a client at an identity provider: under headings, and as one text. */
export type ClientGuide = Guide & {readonly text: string};

/** Loads the guide when the person asks for it, because it needs the data of every identity provider. */
export type GuideOnRequest = () => Promise<ClientGuide>;

/** A question that is answered by one of several offers. */
export type QuestionView = {
  readonly type: 'question';
  readonly heading: string;
  readonly offers: readonly Offer[];
  /** The index of the offer that is chosen at first. */
  readonly initial: number;
  /**
   * True if the question will show an answer of the platform that is still on its way. A dialogue cannot redraw, so it
   * waits for the answer before it asks.
   */
  readonly isPending?: true;
  /** True if something went wrong. Finding nothing is not a fault. */
  readonly isTrouble?: true;
  readonly about?: readonly Block[];
  /** Returns the text about the offer at an index. */
  below?(at: number): string | undefined;
  /** Returns the guide for registering the client of the offer at an index, shown on request. */
  guide?(at: number): GuideOnRequest | undefined;
};

/** A question for a name and its secret. `read` turns the typed text into the secret. */
export type FormView = {
  readonly type: 'form';
  readonly heading: string;
  readonly explanation: string;
  /** `isKnown`: the person has given the name before; it is not merely the usual one. */
  readonly name: {readonly label: string; readonly initial: string; readonly isKnown: boolean};
  readonly secret: {readonly label: string; read(typed: string): string};
  toEvent(name: string, secret: Secret): WizardEvent;
};

/** An assistant in the list. */
export type AssistantRow = {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  /** True if it is listed without `showsAll`: it is installed, ticked, or has entries of this context already. */
  readonly isNear: boolean;
  /** The file that would be written, as it is shown. Absent if there is none. */
  readonly path?: string;
  /** The effect of the choice on its sign-in, in words. */
  readonly effect: string;
};

/** The choice of assistants while the person makes it. */
export type Selecting = Omit<AssistantSelection, 'assistants' | 'disconnecting'> & {
  readonly ticked: ReadonlySet<string>;
};

/** The question which assistants are connected, for whom, and how they stay signed in. */
export type AssistantsView = {
  readonly type: 'assistants';
  readonly heading: string;
  readonly initial: Selecting;
  /** A text that the person should read before choosing. */
  readonly note?: string;
  /** True if the list shows all assistants from the start, because the person has to look among those not installed. */
  readonly showsAll?: boolean;
  /** Returns a row for every assistant as it would be connected, installed ones first. */
  rows(selecting: Selecting): readonly AssistantRow[];
  /** Returns the scope in words; `signIn` returns the method in words. */
  scope(selecting: Selecting): string;
  /** Returns the choice with the next scope. */
  nextScope(selecting: Selecting): Selecting;
  signIn(selecting: Selecting): string;
  /** Returns the choice with the next method of staying signed in. */
  nextMethod(selecting: Selecting): Selecting;
  /** Whether there is another method than the chosen one. */
  hasOtherMethod(selecting: Selecting): boolean;
  /** Returns as whom the assistants act, in words; `nextActor` returns the choice with the next one. */
  actsAs(selecting: Selecting): string;
  nextActor(selecting: Selecting): Selecting;
  /** Absent if there is nothing to choose from. */
  readonly tools?: ToolsView;
  toEvent(selecting: Selecting): WizardEvent;
  /** Returns the event that keeps what is ticked and set so far. */
  toChange(selecting: Selecting): WizardEvent;
};

/** The choice of tools for assistants. */
export type ToolsView = {
  /** The choices, in the order in which they follow one another. */
  readonly choices: readonly ToolChoice[];
  /** The choice that applies unless the person makes another. */
  readonly usual: ToolChoice;
  /**
   * Returns in words what a choice means for assistants that stay signed in by this method, with the number of tools and
   * their cost, which may have to be found out first.
   */
  say(choice: ToolChoice, method: Selecting['method']): string;
  /** Returns the event that makes the wizard find out the cost; undefined if that is not needed. */
  look(choice: ToolChoice): WizardEvent | undefined;
};

/** Returns the choice after this one; after the last, the first. */
export const nextOf = <Choice>(choices: readonly Choice[], one: Choice): Choice =>
  choices[(choices.indexOf(one) + 1) % choices.length] ?? one;

export type FileLine = {
  /** The path as it is shown. */
  readonly path: string;
  readonly change: FileChange;
  readonly summary: string;
  readonly diff: string;
};

/** The review of every file that will change. Nothing is written before `accept`. */
export type ReviewView = {
  readonly type: 'review';
  readonly heading: string;
  /** Identifies the review: another plan is another object. */
  readonly plan: Plan;
  readonly files: readonly FileLine[];
  readonly warnings: readonly string[];
  readonly accept: WizardEvent;
};

/** Something else that the person can do during a wait: by key on a screen, by label in a list. */
export type Action = {readonly key: string; readonly short: string; readonly label: string} & (
  | {readonly send: UserMessage}
  | {readonly event: WizardEvent}
  | {readonly ask: {readonly heading: string; readonly label: string}; toMessage(text: string): UserMessage}
);

/** The wait for a person who signs in elsewhere. */
export type WaitingView = {
  readonly type: 'waiting';
  readonly waiting: Extract<FlowEvent, {type: 'sign-in-waiting' | 'device-code'}>;
  /** The subject of the wait. The renderer adds the remaining time. */
  readonly heading: string;
  readonly warnings: readonly string[];
  /** Why the text that was typed last is not the answer. */
  readonly refusal?: string;
  /** The instructions for the browser, one paragraph each. */
  readonly sentences: readonly string[];
  /** The command that leads the browser on the person's own machine back to this one. */
  readonly tunnel?: string;
  readonly note?: string;
  readonly actions: readonly Action[];
};

/** A running step: its rows, and the calls that it makes. */
export type ProgressView = {
  readonly type: 'progress';
  readonly heading: string;
  readonly rows: readonly ProgressRow[];
  /** What the step waits for, if somebody has to bring it about. */
  readonly awaited?: FailureBlock;
  readonly calls: readonly CallLine[];
};

/** The outcome for one assistant, in words, and the file that it reads. `path` is as it is shown. */
export type AssistantOutcome = {readonly assistant: string; readonly path: string; readonly text: string};

/** The last screen: the tested entries, the files, and what to do next. */
export type DoneView = {
  readonly type: 'done';
  readonly heading: string;
  /** True if everything works; absent if something is missing, such as a role. */
  readonly isSuccess?: true;
  /** What the account sees of the platform, in a sentence or two; absent if that was not read. */
  readonly content?: string;
  readonly outcomes: readonly AssistantOutcome[];
  /** The files that no outcome names; absent if no other was written. */
  readonly files?: {readonly title: string; readonly lines: readonly Pick<FileLine, 'path' | 'change'>[]};
  /** The tasks that the assistants still leave to the person. */
  readonly notes: readonly string[];
  /** Lines to copy, which the notes speak of. */
  readonly block?: string;
  /** `strong` is the text to type or to say. */
  readonly next: readonly {readonly before: string; readonly strong?: string}[];
};

/** A question to the person, or a step that they wait for. */
export type StepView = QuestionView | FormView | AssistantsView | ReviewView | WaitingView | ProgressView | DoneView;

/** A finished step, in the words of the person's own answers. */
export type Receipt = {readonly label: string; readonly text: string};

/** The purpose of this program and what it leaves alone, in two sentences, and what was found on this machine. */
export type Intro = {
  readonly text: string;
  readonly found: readonly (readonly [name: string, value: string])[];
};

/** A stage of the wizard. */
export type StageLine = {readonly name: string; readonly status: 'done' | 'current' | 'to-come'};

/** What every screen shows besides its content: above it, and the calls on request. */
export type Header = {
  readonly title: string;
  /** The stages of the run, in order; empty on the home screen. */
  readonly stages: readonly StageLine[];
  readonly receipts: readonly Receipt[];
  readonly calls: readonly CallLine[];
};

/** Everything that a renderer draws. */
export type View = {
  readonly header: Header;
  readonly step: StepId;
  /** Differs for each question: a new one starts at its own first offer. */
  readonly key: string;
  readonly body: StepView;
  /** The introduction on the first screens of a new user. */
  readonly intro?: Intro;
  /** The event of Esc; absent if Esc does nothing. */
  readonly back?: WizardEvent;
};
