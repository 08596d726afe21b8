import type {StreamReply, StreamRequest} from './streams.ts';

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
