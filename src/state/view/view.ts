import type {Secret} from '../../domain/secret.ts';
import type {ToolChoice} from '../../domain/tool-sets.ts';
import type {Whose} from '../../errors/errors.ts';
import type {Plan} from '../../flows/assistants/plan-files.ts';
import type {FileChange, FlowEvent} from '../../flows/flow.ts';
import type {Guide} from '../../identity-providers/guide.ts';
import type {Message} from '../../ports/ports.ts';
import type {WizardEvent} from '../events.ts';
import type {CallLine, StepId} from '../model.ts';
import type {AssistantSelection} from '../selection.ts';

/** Why a text will not do, as a sentence; undefined for one that will. */
export type Validate = (text: string) => string | undefined;

/** How a person leaves the wizard. */
export type Ending = 'done' | 'cancelled' | 'failed' | 'diagnose';

/** What taking an offer does: something happens, or a word or another choice is wanted first, or the wizard is left. */
export type Offer = {
  readonly label: string;
  readonly hint?: string;
  /** Taken only by who has had everything on the screen that is said before the question. */
  readonly afterReading?: true;
} & (
  | {readonly event: WizardEvent}
  | {
      readonly ask: string;
      readonly initial: string;
      /** Whether `initial` is a suggestion that goes away when something is typed, and not a text to be corrected. */
      readonly isSuggested?: true;
      /** What is wrong with what was typed, where that can be told at once. */
      readonly validate?: Validate;
      toEvent(text: string): WizardEvent;
    }
  | {readonly which: string; readonly offers: readonly Offer[]}
  | {readonly leave: Ending}
);

/** One line of a running step: what it is about, how far it is, what came of it. */
export type ProgressRow = {
  readonly key: string;
  readonly status: 'waiting' | 'ok' | 'warning' | 'failed' | 'none';
  readonly label: string;
  readonly value: string;
  readonly ms?: number;
  /** For one that waits: after how many milliseconds it is given up. */
  readonly atMost?: number;
};

/** What is said before a question. `status` is a sentence with a sign before it. */
export type Block =
  | {readonly type: 'text'; readonly text: string; readonly tone?: 'dim'}
  | {readonly type: 'status'; readonly text: string; readonly status: 'ok' | 'warning'}
  | {readonly type: 'table'; readonly rows: readonly (readonly [name: string, value: string])[]}
  | {readonly type: 'rows'; readonly rows: readonly ProgressRow[]}
  | FailureBlock;

/** What happened, to which address, and whose turn it is. */
export type FailureBlock = {
  readonly type: 'failure';
  /** Set where nothing went wrong, and something is to be decided. */
  readonly isCalm?: true;
  readonly message: string;
  readonly whose: Whose;
  readonly remedy: string;
  /** Lines that the remedy ends with, to be copied as they are. */
  readonly block?: string;
  /** Whether the decision is about these lines: they stand before everything else. */
  readonly leads?: true;
  /** The call that it is about, unless rows say more. */
  readonly call?: CallLine;
  readonly rows: readonly ProgressRow[];
};

/** How a client is registered at an identity provider: under headings, and all of it as text. */
export type ClientGuide = Guide & {readonly text: string};

/** One that is put together when somebody asks for it: what is known of every identity provider comes with it. */
export type GuideOnRequest = () => Promise<ClientGuide>;

/** A question that is answered by one of several offers. */
export type QuestionView = {
  readonly type: 'question';
  readonly heading: string;
  readonly offers: readonly Offer[];
  /** The index of the offer that stands when the question is put. */
  readonly initial: number;
  /** Whether something went wrong; that nothing was found is no fault of anybody's. */
  readonly isTrouble?: true;
  readonly about?: readonly Block[];
  /** What is said of the offer at an index. */
  below?(at: number): string | undefined;
  /** How a client is registered that belongs to the offer at an index, shown on request. */
  guide?(at: number): GuideOnRequest | undefined;
};

/** A question that is answered by a name and its secret. `read` makes the secret of what was typed. */
export type FormView = {
  readonly type: 'form';
  readonly heading: string;
  readonly explanation: string;
  /** `isKnown`: the person has given it before, and it is not merely the usual one. */
  readonly name: {readonly label: string; readonly initial: string; readonly isKnown: boolean};
  readonly secret: {readonly label: string; read(typed: string): string};
  toEvent(name: string, secret: Secret): WizardEvent;
};

/** One assistant as it is offered. */
export type AssistantRow = {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  /** Whether it is listed before others are asked for: it is here, or has entries of this context already. */
  readonly isNear: boolean;
  /** The file that would be written, as it is shown, where there is one. */
  readonly path?: string;
  /** What becomes of its sign-in, in words. */
  readonly effect: string;
};

/** What is chosen of assistants, while it is being chosen. */
export type Selecting = Omit<AssistantSelection, 'assistants' | 'disconnecting'> & {
  readonly ticked: ReadonlySet<string>;
};

/** Which assistants are connected, for whom, and how that is kept up. */
export type AssistantsView = {
  readonly type: 'assistants';
  readonly heading: string;
  readonly initial: Selecting;
  /** What is to be known before one is chosen. */
  readonly note?: string;
  /** Whether the list begins with those that are not here too, as somebody has to look among them. */
  readonly showsAll?: boolean;
  /** Every assistant as it would be connected, those that are here first. */
  rows(selecting: Selecting): readonly AssistantRow[];
  /** The two settings, in words. */
  scope(selecting: Selecting): string;
  /** The same choice in the scope that follows. */
  nextScope(selecting: Selecting): Selecting;
  signIn(selecting: Selecting): string;
  /** The same choice with the way to stay signed in that follows. */
  nextMethod(selecting: Selecting): Selecting;
  /** Whether there is another way to stay signed in than the one that is chosen. */
  hasOtherMethod(selecting: Selecting): boolean;
  /** Whether a choice that was made before is still one. */
  canStay(selecting: Selecting): boolean;
  /** Absent where there is nothing to choose from. */
  readonly tools?: ToolsView;
  toEvent(selecting: Selecting): WizardEvent;
};

/** Which tools of the servers assistants have. */
export type ToolsView = {
  /** As they follow one another. */
  readonly choices: readonly ToolChoice[];
  /** The one that holds as long as nobody says another. */
  readonly usual: ToolChoice;
  /** In words, with how many that are and what they take; a moment later, where that has to be found out. */
  say(choice: ToolChoice): string;
  /** What has to happen first for that to be known. */
  look(choice: ToolChoice): WizardEvent | undefined;
};

/** The one that comes after this one; after the last, the first. */
export const nextOf = <Choice>(choices: readonly Choice[], one: Choice): Choice =>
  choices[(choices.indexOf(one) + 1) % choices.length] ?? one;

export type FileLine = {
  /** As it is shown. */
  readonly path: string;
  readonly change: FileChange;
  readonly summary: string;
  readonly diff: string;
};

/** Every file that will change. Nothing is written before `accept`. */
export type ReviewView = {
  readonly type: 'review';
  readonly heading: string;
  /** Stands for what is reviewed: another plan is another object. */
  readonly plan: Plan;
  readonly files: readonly FileLine[];
  readonly warnings: readonly string[];
  readonly accept: WizardEvent;
};

/** Something else to do while a person is waited for: by a key on a screen, by its label in a list. */
export type Action = {readonly key: string; readonly short: string; readonly label: string} & (
  | {readonly send: Message}
  | {readonly event: WizardEvent}
  | {readonly ask: {readonly heading: string; readonly label: string}; toMessage(text: string): Message}
);

/** The wait for a person who signs in somewhere else. */
export type WaitingView = {
  readonly type: 'waiting';
  readonly waiting: Extract<FlowEvent, {type: 'sign-in-waiting' | 'device-code'}>;
  /** What is waited for; how long there is stands behind it. */
  readonly heading: string;
  readonly warnings: readonly string[];
  /** Why what was typed last is not the answer. */
  readonly refusal?: string;
  /** What to do in a browser, a paragraph each. */
  readonly sentences: readonly string[];
  /** A line that leads the browser of the person's own machine back to this one. */
  readonly tunnel?: string;
  readonly note?: string;
  readonly actions: readonly Action[];
};

/** A running step: what it does, row by row, and the calls that it makes. */
export type ProgressView = {
  readonly type: 'progress';
  readonly heading: string;
  readonly rows: readonly ProgressRow[];
  readonly calls: readonly CallLine[];
};

/** What answered an assistant through what was written. `path` is as it is shown. */
export type Outcome = {readonly assistant: string; readonly path: string; readonly text: string};

/** The end: what answered through what was written, where the files are, and what to do next. */
export type DoneView = {
  readonly type: 'done';
  readonly heading: string;
  /** Whether all of it works; absent where something is still missing, such as a role. */
  readonly isSuccess?: true;
  readonly outcomes: readonly Outcome[];
  /** Those that no outcome names; absent where nothing else was written. */
  readonly files?: {readonly title: string; readonly lines: readonly Pick<FileLine, 'path' | 'change'>[]};
  /** What the clients still ask of the person. */
  readonly notes: readonly string[];
  /** `strong` is what to type or to say. */
  readonly next: readonly {readonly before: string; readonly strong?: string}[];
};

/** What is wanted of a person now, or what they wait for. */
export type StepView = QuestionView | FormView | AssistantsView | ReviewView | WaitingView | ProgressView | DoneView;

/** What is finished, in the words of the person's own answers. */
export type Receipt = {readonly label: string; readonly text: string};

/** What this program does and what it leaves alone, in two sentences, and what was found on this machine. */
export type Intro = {
  readonly text: string;
  readonly found: readonly (readonly [name: string, value: string])[];
};

/** The whole of what every renderer draws. */
export type View = {
  readonly step: StepId;
  /** Differs for each question that is put: another one begins at its own first offer. */
  readonly key: string;
  readonly body: StepView;
  /** What this program is and what it has found, on the screens that a person who is new sees first. */
  readonly intro?: Intro;
  /** What Esc does, where it leads anywhere. */
  readonly back?: WizardEvent;
};
