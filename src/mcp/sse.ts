import {createParser} from 'eventsource-parser';

/** One event of a stream (HTML 9.2.6): its data, lines joined by a line feed, and its identifier where it names one. */
export type SseEvent = {readonly data: Buffer; readonly type: string; readonly id?: string};

export type SseParser = {
  /** The events that end in this chunk. Those without data only move `lastEventId`. */
  push(chunk: Buffer): readonly SseEvent[];
  /** What to send as Last-Event-ID when the stream is to go on where it broke off; empty for none. */
  readonly lastEventId: string;
  /** The server's wish for the wait before that, in milliseconds. */
  readonly retry: number | undefined;
  /** What came since the last event, which is held until the next one ends, in bytes. */
  readonly pending: number;
  /** Whether something came after an event that is larger than it may be. Nothing can be read any more then. */
  readonly isTooLarge: boolean;
};

/** Longer identifiers are ignored, in characters: with the other headers, most servers take 8 to 16 KiB. */
const LONGEST_ID = 4 * 1024;

/** No wish for a pause is longer, in milliseconds. */
const LONGEST_RETRY = 1_000_000_000;

/**
 * An identifier as the value of `Last-Event-ID`: its UTF-8 bytes (HTML 9.2.4), one character each, as headers are written.
 */
export const lastEventIdHeader = (id: string): string => Buffer.from(id, 'utf8').toString('latin1');

/**
 * Reads server-sent events.
 *
 * @param most of one event that has not ended, in characters
 */
export const createSseParser = (most = Number.POSITIVE_INFINITY): SseParser => {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const state = {lastEventId: '', retry: undefined as number | undefined, pending: 0, isTooLarge: false};
  let events: SseEvent[] = [];

  const parser = createParser({
    maxBufferSize: most,
    onId: id => {
      state.pending = 0;
      if (isSendable(id)) state.lastEventId = id;
    },
    onRetry: wish => {
      if (wish < LONGEST_RETRY) state.retry = wish;
    },
    onEvent: ({data, event = '', id}) => {
      state.pending = 0;
      events.push({data: Buffer.from(data), type: event, ...(id !== undefined && isSendable(id) ? {id} : {})});
    },
  });
  return {
    push: chunk => {
      events = [];
      state.pending = endsEvent(chunk) ? 0 : state.pending + chunk.length;
      try {
        parser.feed(decoder.decode(chunk, {stream: true}));
      } catch {
        // It takes no more once there was too much. Asked for errors, it would make one for each line that means nothing.
        state.isTooLarge = true;
      }
      return events;
    },
    get lastEventId() {
      return state.lastEventId;
    },
    get retry() {
      return state.retry;
    },
    get pending() {
      return state.pending;
    },
    get isTooLarge() {
      return state.isTooLarge;
    },
  };
};

/** Whether the last line of a chunk is a blank one, so that nothing of an event is held after it. */
const endsEvent = (chunk: Buffer): boolean =>
  /(?:\n\n|\r\n\r\n|\r\r)$/.test(chunk.toString('latin1', chunk.length - 4));

/**
 * Whether an identifier can be sent back. HTML ignores one with NUL; other controls cannot stand in a header either
 * (RFC 9110 5.5).
 */
const isSendable = (id: string): boolean => id.length <= LONGEST_ID && !/[\0-\x1f\x7f]/.test(id);
