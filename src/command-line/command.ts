import type {Env} from '../ports/ports.ts';
import type {Recorder} from '../ports/recorder.ts';
import type {Flag, FlagName, FlagValues} from './flags.ts';
import type {Output} from './output/output.ts';

/** The streams that a command talks over, and what is known of them. */
export type Terminal = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Standard output itself, for what is no text of a command’s: the frames of the screens and the messages of the bridge. */
  readonly raw: NodeJS.WriteStream;
  /** A person sits at it: both ends are a terminal. */
  readonly interactive: boolean;
};

/** One run of the program: what was asked for, and with what. */
export type Invocation = {
  /** The words of the command; none for the wizard. */
  readonly words?: readonly string[];
  readonly flags: FlagValues;
  readonly typed: ReadonlySet<FlagName>;
  readonly args: readonly string[];
  /** Every command there is, for those that are about them. */
  readonly commands: readonly Command[];
  readonly env: Env;
  readonly terminal: Terminal;
  /** The launcher's path, for starting this program again. */
  readonly program: string;
  /** Tells that a wizard has drawn over the title that the launcher wrote. */
  readonly drawsOverTitle?: () => void;
  /** Keeps a record of this run, where one is wanted. */
  readonly recorder?: Recorder;
  /** Aborts when the person or the system wants the program to end. */
  readonly signal: AbortSignal;
};

/**
 * Runs a command to its end. What goes wrong is thrown, and decides the exit code. A number is the exit code of a run that
 * went well and whose answer scripts want to branch on.
 */
export type CommandHandler =
  | ((invocation: Invocation) => Promise<void>)
  | ((invocation: Invocation) => Promise<number>);

/** What a word of a command can be, as far as shells complete it. */
export type Completed =
  | 'anything'
  | 'assistant'
  | 'command'
  | 'context'
  | 'error-code'
  | 'provider'
  | 'server'
  | 'shell';

export type Command = {
  /** The words that call it; empty for the program itself. */
  readonly words: readonly string[];
  /** How many words it takes besides. */
  readonly takes?: number;
  /** What these are, by their place; the last goes for all that follow where there may be any number. */
  readonly completes?: readonly Completed[];
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly FlagName[];
  /** What a flag is here, where that is not what it is to the wizard. */
  readonly flagHelp?: {readonly [N in FlagName]?: Pick<Flag, 'value' | 'help'>};
  readonly examples: readonly string[];
  /** Set where programs read what it prints, and show a person what it fails with. */
  readonly isForPrograms?: true;
  /** Set where it reads what this program keeps: after it, what killed runs have left is removed. */
  readonly tidiesUp?: true;
  /** What its help says besides. */
  more?(): Promise<string>;
  load(): Promise<CommandHandler>;
};

/** The command that the first of these words call, the longest one where several begin alike; undefined where none does. */
export const calledBy = <C extends Pick<Command, 'words'>>(
  typed: readonly string[],
  commands: readonly C[],
): C | undefined =>
  commands
    .filter(({words}) => words.every((word, index) => typed[index] === word))
    .toSorted((one, other) => other.words.length - one.words.length)[0];
