import type {ProcessName} from '../domain/credentials.ts';
import type {Callback} from './browser/callback.ts';
import type {Route} from './network/route.ts';
import type {Recorder} from './recorder.ts';
import type {
  Claims,
  ConfigStore,
  CredentialsStore,
  EraStore,
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
  /** The way that `http`, `streams` and `network` take. */
  readonly route: Route;
  /** The same ports by another way to a deployment. Connections are kept with each way. */
  readonly withRoute: (way: Pick<Route, 'settings' | 'passwords'>) => Ports;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly files: Files;
  readonly journal: Journal;
  readonly config: ConfigStore;
  readonly credentials: CredentialsStore;
  readonly providers: ProviderStore;
  readonly versions: VersionStore;
  readonly eras: EraStore;
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

/** How long an answer may take unless the call says otherwise, from the sent request to the last byte, in milliseconds. */
export const CALL_TIMEOUT = 15_000;

/** One HTTP call as it is made: address and body as sent, secrets included. Never shown; see `curl.ts`. */
export type HttpRequest = {
  readonly method: StreamRequest['method'];
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The shell variable that stands for the bearer token in what is shown; by default ACCESS_TOKEN. */
  readonly bearer?: string;
  /**
   * Time for the answer in milliseconds, from when the request is sent; by default {@link CALL_TIMEOUT}. The time that a
   * name, a tunnel and a connection take comes on top, as far as each is allowed to take.
   */
  readonly timeout?: number;
  /** Whether `timeout` is for everything, the connection included: a quick look. */
  readonly isQuick?: boolean;
  /** Within the origin they are followed when asked for, to another one never; `answer` hands back the 3xx itself. */
  readonly redirects?: 'refuse' | 'same-origin' | 'answer';
};

export type HttpReply = {
  readonly status: number;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  readonly body: string;
  readonly ms: number;
};

/** A call, told as it happens. `url` and `curl` hold no secrets. */
export type CallEvent =
  | {readonly type: 'call-started'; readonly call: number; readonly method: string; readonly url: string}
  | {
      readonly type: 'call-answered';
      readonly call: number;
      readonly method: string;
      readonly url: string;
      readonly status: number;
      readonly ms: number;
      readonly curl: string;
    }
  | {
      readonly type: 'call-failed';
      readonly call: number;
      readonly method: string;
      readonly url: string;
      /** What came of it, without a full stop: its time follows. */
      readonly message: string;
      readonly ms: number;
      readonly curl: string;
    };

export type Report = (event: CallEvent) => void;

/** The network. Every failure is a SetupError of the `network-` or `platform-` family that names the address. */
export type Http = {
  /** Sends a request and reads its whole answer (1 MiB at most), whatever its status. */
  send(request: HttpRequest, context: {readonly signal: AbortSignal; readonly report: Report}): Promise<HttpReply>;
  /** Sends a request and gives its answer to be read as it comes, for as long as it takes. A redirect is an answer. */
  open(request: StreamRequest, context: {readonly signal: AbortSignal; readonly report: Report}): Promise<StreamReply>;
  /** The same network in the shape that libraries take, with whole answers. A redirect is an answer. */
  fetch(context: {readonly signal: AbortSignal; readonly report: Report}): typeof globalThis.fetch;
};

/** How long each part of a connection may take, in milliseconds: they are counted one by one. */
export type Patience = {
  /** The resolver's answer. One whose first server is dead asks the second after five seconds. */
  readonly name: number;
  /** Until the connection stands, whatever addresses are tried. */
  readonly connect: number;
  /** A proxy's answer to what is asked of it. */
  readonly tunnel: number;
  /** Until both sides have proven themselves. */
  readonly tls: number;
};

/** One HTTP call whose answer is read as it comes, however long it is and however long it takes. */
export type StreamRequest = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  /** As sent, secrets included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /**
   * How long the server may take to begin its answer, in milliseconds, counted from when the request is sent; absent for
   * as long as it likes. What is posted without a limit is watched: it ends when its server can no longer be reached.
   */
  readonly headersTimeout?: number;
  /** Whether somebody waits for an answer in it although nothing is posted, so that it is watched in the same way. */
  readonly isAwaited?: boolean;
  /** Whether the caller bounds the time of the whole call, so that nobody has to watch it. */
  readonly isBounded?: boolean;
  /** How long the parts of a new connection may take; see `patient` for the usual. */
  readonly patience?: Patience;
  /** Called when there is a connection for it, before it is sent. */
  readonly connected?: () => void;
};

export type StreamReply = {
  readonly status: number;
  /** By its name in lower case; the values of one that came more than once, joined by commas (RFC 9110 5.3). */
  header(name: string): string | undefined;
  /** In lower case. */
  headerNames(): readonly string[];
  /** Read once. Who leaves it early closes the connection; what it breaks off with is a SetupError. */
  readonly body: AsyncIterable<Buffer>;
  /** Closes the connection if the rest of the answer has not come in so many milliseconds. */
  endWithin(ms: number): void;
};

/** @throws SetupError of the `network-` family, or what `signal` aborts with */
export type OpenStream = (request: StreamRequest, signal: AbortSignal) => Promise<StreamReply>;

/**
 * The network for answers without an end that is known: no deadline but for the connection, no limit of size, at most a
 * quarter of a MiB of one answer in memory that nobody has read. Redirects are answers like others.
 */
export type Streams = {
  /** Loads what the first call needs, so that it is there when that comes. */
  prepare(): void;
  readonly open: OpenStream;
};
