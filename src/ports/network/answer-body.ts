import {SetupError} from '../../errors/errors.ts';
import {createMessageQueue} from '../../message-queue.ts';
import type {StreamReply, StreamRequest} from '../ports.ts';
import {translateNetworkError} from './network-errors.ts';

/** As much of one answer as is taken from the network before somebody reads it, in bytes. */
const READ_AHEAD = 256 * 1024;

/** Why no more chunks come, where nothing is wrong. */
const END = Symbol('end');

/** What carries one call. */
export type Carrier = {pause(): void; resume(): void; abort(reason: Error): void};

/**
 * One call from its start to its end, whatever carries it: the answer's body on its way to its reader, and what ends it
 * early.
 */
export type Call = {
  /** A connection is there. A call that fails before was not heard by the server. */
  connected(): void;
  /** The values of a header that came more than once as a list. */
  answer(status: number, headers: Readonly<Record<string, string | readonly string[] | undefined>>): void;
  data(chunk: Buffer): void;
  end(): void;
  fail(error: unknown): void;
};

/** @param start begins the call, and gives what carries it; it tells by `connected` that something may be sent from now on */
export const openCall = (
  {url, connected}: StreamRequest,
  signal: AbortSignal,
  start: (call: Call) => Carrier,
): Promise<StreamReply> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let carrier: Carrier | undefined;

    const chunks = createMessageQueue<Buffer>();
    /** Of the chunks that nobody has taken yet, in bytes. */
    let size = 0;
    let isOver = false;
    let isConnected = false;

    const over = (reason: unknown) => {
      isOver = true;
      chunks.end(reason);
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const fail = (error: unknown) => {
      if (isOver) return;
      const translated = translateNetworkError(error, url, signal);
      const failure = isConnected ? translated : translated.with({isUnsent: true});
      over(failure);
      reject(failure);
    };
    const stop = (reason: Error) => {
      fail(reason);
      carrier?.abort(reason);
    };
    const abort = () => stop(signal.reason);
    const left = () => stop(new SetupError('cancelled', 'Nobody reads the answer any more.'));

    async function* read(): AsyncGenerator<Buffer, void, void> {
      try {
        for (;;) {
          const chunk = await chunks.next();
          size -= chunk.length;
          if (size === 0) carrier?.resume();
          yield chunk;
        }
      } catch (error) {
        if (error !== END) throw error;
      } finally {
        if (!isOver) left();
      }
    }

    if (signal.aborted) return fail(signal.reason);
    signal.addEventListener('abort', abort, {once: true});
    const call: Call = {
      connected: () => {
        isConnected = true;
        connected?.();
      },
      answer: (status, headers) =>
        resolve({
          status,
          header: name => joined(headers[name]),
          headerNames: () => Object.keys(headers),
          body: read(),
          endWithin: ms => {
            if (!isOver) timer ??= setTimeout(left, ms).unref();
          },
        }),
      data: chunk => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > READ_AHEAD) carrier?.pause();
      },
      end: () => over(END),
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
