import {SetupError} from '../../errors/errors.ts';
import {type ByteQueue, createByteQueue} from './byte-queue.ts';
import {translateNetworkError} from './network-errors.ts';
import type {StreamReply, StreamRequest} from './streams.ts';

/** As much of one answer as is taken from the network before somebody reads it, in bytes. */
const READ_AHEAD = 256 * 1024;

/** What carries one call. */
export type Carrier = {pause(): void; resume(): void; abort(reason: Error): void};

/**
 * One call from its start to its end, whatever carries it: the answer's body on its way to its reader, and what ends it
 * early.
 */
export type Call = {
  readonly queue: ByteQueue;
  /** The values of a header that came more than once as a list. */
  answer(status: number, headers: Readonly<Record<string, string | readonly string[] | undefined>>): void;
  data(chunk: Buffer): void;
  end(): void;
  fail(error: unknown): void;
};

/** @param start begins the call, and gives what carries it */
export const openCall = (
  {url}: StreamRequest,
  signal: AbortSignal,
  start: (call: Call) => Carrier,
): Promise<StreamReply> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let carrier: Carrier | undefined;

    const settled = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const fail = (error: unknown) => {
      if (queue.ended) return;
      const failure = translateNetworkError(error, url, signal);
      queue.fail(failure);
      settled();
      reject(failure);
    };
    const stop = (reason: Error) => {
      fail(reason);
      carrier?.abort(reason);
    };
    const abort = () => stop(signal.reason);
    const left = () => stop(new SetupError('cancelled', 'Nobody reads the answer any more.'));
    const queue = createByteQueue(() => carrier?.resume(), left);

    if (signal.aborted) return fail(signal.reason);
    signal.addEventListener('abort', abort, {once: true});
    const call: Call = {
      queue,
      answer: (status, headers) =>
        resolve({
          status,
          header: name => joined(headers[name]),
          headerNames: () => Object.keys(headers),
          body: queue.read(),
          endWithin: ms => {
            if (!queue.ended) timer ??= setTimeout(left, ms).unref();
          },
        }),
      data: chunk => {
        queue.push(chunk);
        if (queue.size > READ_AHEAD) carrier?.pause();
      },
      end: () => {
        queue.end();
        settled();
      },
      fail,
    };
    try {
      carrier = start(call);
    } catch (error) {
      fail(error);
    }
  });

const joined = (value: string | readonly string[] | undefined) =>
  value === undefined || typeof value === 'string' ? value : value.join(', ');
