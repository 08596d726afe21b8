import type {Patience} from './connections/patience.ts';

/** One HTTP call whose answer is read as it comes, however long it is and however long it takes. */
export type StreamRequest = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  /** As sent, secrets included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
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
