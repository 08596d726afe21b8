import type {NetworkSettings} from '../domain/context.ts';
import type {Credentials, ProcessName} from '../domain/credentials.ts';
import type {SetupError} from '../errors/errors.ts';
import type {Callback} from './browser/callback.ts';
import type {Route} from './network/route.ts';
import type {Startable} from './processes/programs.ts';
import type {Recorder} from './recorder.ts';
import type {
  ConfigStore,
  CredentialsStore,
  EraStore,
  ExclusiveFiles,
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
  /** Resolves after `ms`; rejects if the signal aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

/** The result of a program of the person. `missing` if there is no program of that name on PATH. */
export type ProcessResult =
  | {readonly outcome: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string}
  | {readonly outcome: 'missing'}
  | {readonly outcome: 'timed-out'};

export type Processes = {
  /**
   * Returns the absolute path of a program on PATH; undefined if there is none. The working directory is not searched.
   */
  find<Name extends string>(name: Startable<Name>): Promise<string | undefined>;
  /**
   * Runs a program to its end, without a shell, and reads its output. It starts in the home directory, never in the
   * working directory: that may be an untrusted repository, and many programs read settings from there. Of the
   * environment it gets paths, locale and proxies, plus `variables`. With `environment: 'shell'` it gets what it would
   * in the person's shell, without this program's own variables and without those that make Node, a package manager,
   * git or a shell load code or settings; with `'assistant'` it gets the minimum, and the PATH of a desktop.
   */
  run<Name extends string>(
    command: Startable<Name>,
    args: readonly string[],
    options: {
      timeout: number;
      signal: AbortSignal;
      environment?: 'shell' | 'assistant';
      variables?: Readonly<Record<string, string>>;
      /** The standard input of the program; absent for none. */
      input?: string;
    },
  ): Promise<ProcessResult>;
  /** Whether kubectl and helm have a cluster to ask; absent if they are always asked. */
  hasKubeContext?(): Promise<boolean>;
  /** Runs a command line in the system's shell, with the minimal environment that the strictest assistant gives. */
  runLine(line: string, options: {timeout: number; signal: AbortSignal}): Promise<ProcessResult>;
  /**
   * Starts a program that communicates in lines, with the same minimal environment plus `env`. It ends when it is
   * closed, or when the signal aborts. Rejects if there is no such program.
   */
  open(
    command: string,
    args: readonly string[],
    options: {env: Readonly<Record<string, string>>; signal: AbortSignal},
  ): Promise<Conversation>;
  /**
   * Starts this program with other arguments, as an independent process; absent if this process runs for long itself.
   */
  startApart?(words: readonly string[]): void;
  /** This process. */
  self(): ProcessName;
  /** Whether a process still runs, suspended or not; undefined if that cannot be known. */
  isRunning(name: ProcessName): boolean | undefined;
  /** Keeps this process from ending before `work` has ended, even after a signal. */
  hold(work: Promise<unknown>): void;
};

/** An exchange of lines, for example with a running program. */
export type Conversation = {
  send(line: string): void;
  /** Returns the next line. Rejects after the end, with the reason: for a program, its output on standard error. */
  next(): Promise<string>;
  close(): void | Promise<void>;
};

/** The reason why no browser can be opened on the person's own screen. */
export type BrowserObstacle =
  | {
      readonly kind: 'ssh';
      /** The address that the person's connection comes from, if the system reveals it. */
      readonly from?: string;
      /** The arguments with which `ssh` reaches this machine from outside, with `-p` if its port is unusual. */
      readonly destination: string;
    }
  | {readonly kind: 'container'}
  | {readonly kind: 'no-display'};

export type Browser = {
  obstacle(): BrowserObstacle | undefined;
  /** Opens `url` in the person's browser. False if that failed: the caller then shows the address. */
  open(url: string): Promise<boolean>;
};

/** The certificate that a server shows. */
export type Certificate = {
  readonly subject: string;
  readonly issuer: string;
  /** The names that the certificate is for, as it lists them. */
  readonly names: string;
  /** When the certificate expires, in milliseconds since the epoch. */
  readonly validTo: number;
  /** SHA-256, in pairs of hexadecimal digits. */
  readonly fingerprint: string;
  readonly trusted: boolean;
  /** The code of OpenSSL or Node for the problem with it. */
  readonly problem?: string;
  /** The certificate authorities that are trusted for the deployment, if this certificate is not trusted. */
  readonly authority?: NetworkSettings['authority'];
  /**
   * The uppermost certificate that the server shows: its authority if it sends that, otherwise the certificate itself.
   */
  readonly anchor: Anchor;
};

/** A certificate at which trust could begin. */
export type Anchor = {
  readonly subject: string;
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly validTo: number;
  /** SHA-256, in pairs of hexadecimal digits. */
  readonly fingerprint: string;
  readonly pem: string;
};

/**
 * The network below HTTP, one layer at a time. Failures are SetupErrors if a proxy or a setting is at fault, otherwise
 * the system's own errors or a `ConnectionTimeout`.
 */
export type NetworkInspector = {
  /** Returns the addresses that this program's calls go to, and those from the system's resolver. Never rejects. */
  resolve(host: string): Promise<{readonly addresses: readonly string[]; readonly bySystem: readonly string[]}>;
  /**
   * Returns the proxy for calls to an address, without its password.
   *
   * @throws SetupError `input-invalid`
   */
  proxy(url: URL): Promise<string | undefined>;
  /** Resolves if the proxy of an address accepts connections; rejects if there is no proxy. */
  connectToProxy(url: URL, signal: AbortSignal): Promise<{readonly ms: number}>;
  /** Opens a connection. `address` is its remote address: the proxy's own, if there is one. */
  connect(url: URL, signal: AbortSignal): Promise<{readonly address: string; readonly ms: number}>;
  /** Returns a server's certificate, whether it is trusted or not. */
  certificate(url: URL, signal: AbortSignal): Promise<Certificate>;
};

/** A message from the person to a running flow. */
export type UserMessage =
  | {readonly type: 'pasted'; readonly text: string}
  | {readonly type: 'open-again'}
  | {readonly type: 'more-time'};

/**
 * Messages from the person to a running flow, in order, each for the first receiver. Pasted text is kept in no state.
 */
export type Inbox = {
  send(message: UserMessage): void;
  next(signal: AbortSignal): Promise<UserMessage>;
  /** Removes messages that were not received. */
  clear(): void;
};

/**
 * The knowledge of this process about its sign-ins that is in no file. The keys are those of `nameOfKey`. It lasts as
 * long as the process.
 */
export type SignInMemory = {
  /** The fingerprints of the access tokens of the sign-ins that this process has stored last. */
  readonly stored: Map<string, string>;
  /** Renewed sign-ins that could not be written, with the refresh token on the disk, which they have used up. */
  readonly unsaved: Map<string, {readonly usedUp: string | undefined; readonly credentials: Credentials}>;
  /** The renewals that run in the background, at most one for each sign-in. */
  readonly renewals: Map<string, Promise<void>>;
  /** Why the result of the last background renewal could not be stored. The next caller is told. */
  readonly failures: Map<string, SetupError>;
};

/** Environment variables, read once at the start. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The boundary of the program. Flows reach the outside only through these ports. */
export type Ports = {
  readonly http: Http;
  /** The same network without a record of its calls, for code that makes many. */
  readonly streams: Streams;
  /** The route of `http`, `streams` and `network`. */
  readonly route: Route;
  /** Returns the same ports with another route to a deployment. Each route keeps its own connections. */
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
  readonly exclusiveFiles: ExclusiveFiles;
  readonly memory: SignInMemory;
  readonly copies: OwnCopies;
  readonly ownFiles: OwnFiles;
  readonly callback: Callback;
  readonly browser: Browser;
  readonly network: NetworkInspector;
  readonly inbox: Inbox;
  /** Adds to the record of this run, if one is kept (`--debug`). */
  readonly record: Recorder['record'];
};

/** Default time limit of an answer, from the sent request to the last byte, in milliseconds. */
export const CALL_TIMEOUT = 15_000;

/** One HTTP call as it is made: address and body as sent, secrets included. Never shown; see `curl.ts`. */
export type HttpRequest = {
  readonly method: StreamRequest['method'];
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The shell variable that replaces the bearer token when the call is shown; by default ACCESS_TOKEN. */
  readonly bearer?: string;
  /**
   * Time limit of the answer in milliseconds, from when the request is sent; by default {@link CALL_TIMEOUT}. The time
   * for name lookup, tunnel and connection is added, each within its own limit.
   */
  readonly timeout?: number;
  /** True if `timeout` includes the connection, for a quick check. */
  readonly isQuick?: boolean;
  /** Redirects within the origin are followed if requested, others never; `answer` returns the 3xx itself. */
  readonly redirects?: 'refuse' | 'same-origin' | 'answer';
};

export type HttpReply = {
  readonly status: number;
  /** Returns a header by its name in lower case. */
  header(name: string): string | undefined;
  readonly body: string;
  readonly ms: number;
};

/** A call, reported as it happens. `url` and `curl` contain no secrets. */
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
      /** The failure, without a full stop: the duration follows. */
      readonly message: string;
      readonly ms: number;
      readonly curl: string;
    };

export type Report = (event: CallEvent) => void;

/** The network. A failure of the network or of an answer is a SetupError that names the address. */
export type Http = {
  /** Sends a request and reads its whole answer (1 MiB at most), whatever its status. */
  send(request: HttpRequest, context: {readonly signal: AbortSignal; readonly report: Report}): Promise<HttpReply>;
  /** Sends a request and returns its answer as a stream without a time limit. A redirect is an answer. */
  open(request: StreamRequest, context: {readonly signal: AbortSignal; readonly report: Report}): Promise<StreamReply>;
  /** Returns the same network as a `fetch` for libraries, with whole answers. A redirect is an answer. */
  fetch(context: {readonly signal: AbortSignal; readonly report: Report}): typeof globalThis.fetch;
};

/** How long each part of a connection may take, in milliseconds. The times are counted separately. */
export type Timeouts = {
  /** The resolver's answer. If its first server is dead, it asks the second after five seconds. */
  readonly name: number;
  /** The time to establish the connection, for all addresses of the host together. */
  readonly connect: number;
  /** A proxy's answer to a request for a tunnel. */
  readonly tunnel: number;
  /** The TLS handshake. */
  readonly tls: number;
};

/** One HTTP call whose answer is read as it arrives, with no limit on its length or duration. */
export type StreamRequest = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  /** As sent, secrets included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /**
   * How long the server may take to begin its answer, in milliseconds, from when the request is sent; absent for no
   * limit. A POST without a limit is watched: it ends when its server can no longer be reached.
   */
  readonly headersTimeout?: number;
  /** True if the caller waits for an answer although nothing is posted, so that the call is watched in the same way. */
  readonly isAwaited?: boolean;
  /** True if the caller limits the time of the whole call, so that it is not watched. */
  readonly isBounded?: boolean;
  /** How long the parts of a new connection may take; see `defaultTimeouts` for the defaults. */
  readonly timeouts?: Timeouts;
  /** Called when the call has a connection, before it is sent. */
  readonly connected?: () => void;
};

export type StreamReply = {
  readonly status: number;
  /** Returns a header by its name in lower case; repeated values are joined by commas (RFC 9110 5.3). */
  header(name: string): string | undefined;
  /** In lower case. */
  headerNames(): readonly string[];
  /** Can be read once. Leaving it early closes the connection; its errors are SetupErrors. */
  readonly body: AsyncIterable<Buffer>;
  /** Closes the connection if the rest of the answer has not arrived within this many milliseconds. */
  endWithin(ms: number): void;
};

/**
 * Sends a request and returns its answer as a stream.
 *
 * @throws SetupError, mostly of the `network-` family; `cancelled`, or the SetupError in the signal's reason, if
 *   `signal` aborts
 */
export type OpenStream = (request: StreamRequest, signal: AbortSignal) => Promise<StreamReply>;

/**
 * The network for answers of unknown length: no deadline except for the connection, no limit of size, and at most a
 * quarter of a MiB of one unread answer in memory. Redirects are normal answers.
 */
export type Streams = {
  /** Loads the code for the first call in advance. */
  prepare(): void;
  readonly open: OpenStream;
};
