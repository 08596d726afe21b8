import type {Env} from '../ports/ports.ts';
import type {Recorder} from '../ports/recorder.ts';
import type {Flag, FlagName, FlagValues} from './flags.ts';
import type {CommandOutput} from './output/output.ts';

/** The streams of a command, and what is known about them. */
export type Terminal = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
  /** Standard output itself, for what is not a command’s text: the frames of screens and the messages of the bridge. */
  readonly raw: NodeJS.WriteStream;
  /** True if a person sits at the terminal: standard input and standard output are both terminals. */
  readonly interactive: boolean;
};

/** One run of the program, with everything that it was given. */
export type Invocation = {
  /** The words of the command; none for the wizard. */
  readonly words?: readonly string[];
  readonly flags: FlagValues;
  readonly typed: ReadonlySet<FlagName>;
  readonly args: readonly string[];
  /** The command line that the command was given after `--`, if it takes one. */
  readonly line?: readonly string[];
  /** All commands, for those that are about commands. */
  readonly commands: readonly Command[];
  readonly env: Env;
  readonly terminal: Terminal;
  /** The launcher's path, for starting this program again. */
  readonly program: string;
  /** Reports that a wizard has drawn over the launcher's title. */
  readonly drawsOverTitle?: () => void;
  /** Records this run, if that was asked for. */
  readonly recorder?: Recorder;
  /** Aborts when the person or the system wants the program to end. */
  readonly signal: AbortSignal;
};

/**
 * Runs a command to its end. An error is thrown, and decides the exit code. A returned number is the exit code of a
 * successful run with a result that scripts branch on.
 */
export type CommandHandler =
  | ((invocation: Invocation) => Promise<void>)
  | ((invocation: Invocation) => Promise<number>);

/** The kinds of words in a command that shells can complete. */
export type Completed =
  | 'anything'
  | 'assistant'
  | 'command'
  | 'connected-assistant'
  | 'context'
  | 'error-code'
  | 'provider'
  | 'server'
  | 'shell';

export type Command = {
  /** The words that call the command; empty for the program itself. */
  readonly words: readonly string[];
  /** The largest number of further words. Absent if the command takes none. */
  readonly takes?: number;
  /** The kinds of these words, by position. With any number of words, the last kind applies to all that follow. */
  readonly completes?: readonly Completed[];
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly FlagName[];
  /** The help of a flag, if the flag means something else here than for the wizard; its usual value if it names none. */
  readonly flagHelp?: {readonly [N in FlagName]?: Pick<Flag, 'value' | 'help'>};
  readonly examples: readonly string[];
  /** True if programs read the command's output, and show its errors to a person. */
  readonly isForPrograms?: true;
  /** True if the words after `--` are a command line, and not arguments of this command. */
  readonly takesLine?: true;
  /** True if the command uses this program's files. Leftovers of killed runs are removed after it. */
  readonly tidiesUp?: true;
  /** Returns additional help. */
  more?(): Promise<string>;
  load(): Promise<CommandHandler>;
};

/** Returns the command that these words begin with, the longest one if several match; undefined if none does. */
export const calledBy = <C extends Pick<Command, 'words'>>(
  typed: readonly string[],
  commands: readonly C[],
): C | undefined =>
  commands
    .filter(({words}) => words.every((word, index) => typed[index] === word))
    .toSorted((one, other) => other.words.length - one.words.length)[0];
