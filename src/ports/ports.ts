import type {ProcessName} from '../domain/sign-in/credentials.ts';
import type {Callback} from './browser/callback.ts';
import type {Http} from './network/http.ts';
import type {Route} from './network/route.ts';
import type {Streams} from './network/streams.ts';
import type {Recorder} from './recorder.ts';
import type {
  Claims,
  ConfigStore,
  CredentialsStore,
  Files,
  Journal,
  OwnCopies,
  OwnFiles,
  ProviderStore,
  VersionStore,
} from './storage.ts';

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds on a clock that never jumps, for durations. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

/** How a program of the person's ended. `missing` when there is none of that name on PATH. */
export type ProcessResult =
  | {readonly outcome: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string}
  | {readonly outcome: 'missing'}
  | {readonly outcome: 'timed-out'};

export type Processes = {
  /** The absolute path of a program on PATH; undefined where there is none. The working directory does not count. */
  find(name: string): Promise<string | undefined>;
  /**
   * Runs a program to its end, without a shell, and reads its output. It starts in the home directory, never in the working
   * directory: that may be a stranger's repository, and many programs obey what lies there. It sees where things are,
   * `variables`, and nothing else of the environment. With `environment: 'shell'` it sees what it would in the person's
   * shell, without this program's own variables and without those that make Node, a package manager, git or a shell load
   * code or settings; with `'assistant'` the least, and the PATH of a desktop.
   */
  run(
    command: string,
    args: readonly string[],
    options: {
      timeout: number;
      signal: AbortSignal;
      environment?: 'shell' | 'assistant';
      variables?: Readonly<Record<string, string>>;
      /** What it reads from its standard input; nothing without it. */
      input?: string;
    },
  ): Promise<ProcessResult>;
  /** Whether kubectl and helm know a cluster to ask; absent where they are always asked. */
  hasKubeContext?(): Promise<boolean>;
  /** Runs a command line in the system's shell, with the little of the environment that the strictest assistant gives. */
  runLine(line: string, options: {timeout: number; signal: AbortSignal}): Promise<ProcessResult>;
  /**
   * Starts a program that is talked to by lines, with the same little environment and `env` besides. It ends when it is
   * closed, or when the signal aborts. Rejects where there is no such program.
   */
  open(
    command: string,
    args: readonly string[],
    options: {env: Readonly<Record<string, string>>; signal: AbortSignal},
  ): Promise<Conversation>;
  /** Starts this program with other words, as a process that goes on by itself; absent where this one goes on for long. */
  startApart?(words: readonly string[]): void;
  /** This process. */
  self(): ProcessName;
  /** Whether one still runs, suspended or not; undefined where that cannot be known. */
  isRunning(name: ProcessName): boolean | undefined;
  /** Keeps this process from ending before `work` has, whoever asks it to end. */
  hold(work: Promise<unknown>): void;
};

/** Something that takes and gives lines, such as a running program. */
export type Conversation = {
  send(line: string): void;
  /** The next line that it says. Rejects when it has ended, with why: of a program, what it said on standard error. */
  next(): Promise<string>;
  close(): void | Promise<void>;
};

/** Why no browser on the person's own screen can be opened from here. */
export type BrowserObstacle =
  | {
      readonly kind: 'ssh';
      /** The address that the person's connection comes from, where the system tells. */
      readonly from?: string;
      /** How this machine is reached from outside: what `ssh` needs, with `-p` where its port is another. */
      readonly destination: string;
    }
  | {readonly kind: 'container'}
  | {readonly kind: 'no-display'};

export type Browser = {
  obstacle(): BrowserObstacle | undefined;
  /** Opens `url` in the person's browser. False when nothing could be started: the address is to be shown instead. */
  open(url: string): Promise<boolean>;
};

/** What a server proves itself with, as far as it says. */
export type Certificate = {
  readonly subject: string;
  readonly issuer: string;
  /** The names that it is for, as the certificate lists them. */
  readonly names: string;
  /** When it ends, in milliseconds since the epoch. */
  readonly validTo: number;
  /** SHA-256, in pairs of hexadecimal digits. */
  readonly fingerprint: string;
  readonly trusted: boolean;
  /** OpenSSL's code for what is wrong with it. */
  readonly problem?: string;
  /** The uppermost certificate that the server shows: the authority, where it sends that along, else itself. */
  readonly anchor: Anchor;
};

/** A certificate that trust could begin at. */
export type Anchor = {
  readonly subject: string;
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly validTo: number;
  /** SHA-256, in pairs of hexadecimal digits. */
  readonly fingerprint: string;
  readonly pem: string;
};

/** The network below HTTP, one layer at a time. Failures are the system's own errors. */
export type NetworkInspector = {
  /** The addresses that our calls go to, and those that the system's resolver knows. Never rejects. */
  resolve(host: string): Promise<{readonly addresses: readonly string[]; readonly bySystem: readonly string[]}>;
  /** The proxy that calls to an address go through, without its password. @throws SetupError `input-invalid` */
  proxy(url: URL): Promise<string | undefined>;
  /** Resolves when the proxy of an address takes connections; rejects where there is no proxy. */
  connectToProxy(url: URL, signal: AbortSignal): Promise<{readonly ms: number}>;
  /** `address` is where the connection leads: the proxy's own, where there is one. */
  connect(url: URL, signal: AbortSignal): Promise<{readonly address: string; readonly ms: number}>;
  /** Never trusts: what is wrong with it is what is to be told. */
  certificate(url: URL, signal: AbortSignal): Promise<Certificate>;
};

/** What a person says to a flow that runs. */
export type Message =
  | {readonly type: 'pasted'; readonly text: string}
  | {readonly type: 'open-again'}
  | {readonly type: 'more-time'};

/** Messages from the person to a flow that runs, in order, each for the first who asks. Pasted text is in no state. */
export type Inbox = {
  send(message: Message): void;
  next(signal: AbortSignal): Promise<Message>;
  /** Forgets what nobody asked for. */
  clear(): void;
};

/** Environment variables, read once at the start. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The edges of the program. Flows reach the world through these and through nothing else. */
export type Ports = {
  readonly http: Http;
  /** The same network without a record of its calls, for what makes many. */
  readonly streams: Streams;
  /** How the deployment is reached, for every call from here on. */
  readonly route: Route;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly files: Files;
  readonly journal: Journal;
  readonly config: ConfigStore;
  readonly credentials: CredentialsStore;
  readonly providers: ProviderStore;
  readonly versions: VersionStore;
  readonly claims: Claims;
  readonly copies: OwnCopies;
  readonly ownFiles: OwnFiles;
  readonly callback: Callback;
  readonly browser: Browser;
  readonly network: NetworkInspector;
  readonly inbox: Inbox;
  /** Adds to the record of this run, where one is kept (`--debug`). */
  readonly record: Recorder['record'];
};
