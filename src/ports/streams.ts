/** One HTTP call whose answer is read as it comes, however long it is and however long it takes. */
export type StreamRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  /** As sent, secrets included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** How long the server may take to begin its answer, in milliseconds; absent for as long as it likes. */
  readonly headersTimeout?: number;
};

export type StreamReply = {
  readonly status: number;
  /** By its name in lower case. */
  header(name: string): string | undefined;
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
  readonly open: OpenStream;
};
