import {createGathering, release} from './gather.ts';

/** One event of a stream (HTML 9.2.6): its data, lines joined by a line feed. */
export type SseEvent = {readonly data: Buffer; readonly type: string};

export type SseParser = {
  /** The events that end in this chunk, which belongs to the parser. Those without data only move `lastEventId`. */
  push(chunk: Buffer): readonly SseEvent[];
  /** What to send as Last-Event-ID when the stream is to go on where it broke off; empty for none. */
  readonly lastEventId: string;
  /** The server's wish for the wait before that, in milliseconds. */
  readonly retry: number | undefined;
  /** What is held of an event that has not ended, in bytes. */
  readonly pending: number;
};

const [LF, CR, COLON, SPACE] = [0x0a, 0x0d, 0x3a, 0x20] as const;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = Buffer.from([LF]);

/**
 * Reads server-sent events from bytes, so that a character cut in two by a chunk's end is whole again, and a long line is
 * put together once.
 */
export const createSseParser = (): SseParser => {
  /** The beginning of a line whose end has not come. */
  const begun = createGathering();
  let afterCarriageReturn = false;
  let isFirstLine = true;
  let data: Buffer[] = [];
  let type = '';
  let id = '';
  let lastEventId = '';
  let retry: number | undefined;

  const endEvent = (): SseEvent | undefined => {
    lastEventId = id;
    const [first, ...rest] = data;
    const event = first && {data: rest.length === 0 ? first : joined(first, rest), type};
    data = [];
    type = '';
    return event;
  };

  const takeField = (line: Buffer) => {
    const colon = line.indexOf(COLON);
    const name = line.toString('latin1', 0, colon === -1 ? line.length : colon);
    const from = colon === -1 ? line.length : colon + (line[colon + 1] === SPACE ? 2 : 1);
    const value = line.subarray(from);
    if (name === 'data') data.push(value);
    else if (name === 'event') type = value.toString('utf8');
    else if (name === 'id') {
      if (!value.includes(0)) id = value.toString('utf8');
    } else if (name === 'retry' && /^\d{1,9}$/.test(value.toString('latin1'))) retry = Number(value.toString('latin1'));
  };

  const endLine = (rest: Buffer): SseEvent | undefined => {
    let line = rest;
    if (!begun.isEmpty) {
      begun.add(rest);
      line = begun.take();
    }
    if (isFirstLine && line.subarray(0, 3).equals(BOM)) line = line.subarray(3);
    isFirstLine = false;
    if (line.length === 0) return endEvent();
    takeField(line);
    return undefined;
  };

  const push = (chunk: Buffer): readonly SseEvent[] => {
    const events: SseEvent[] = [];
    let at = 0;
    // The line feed of a CRLF may come with the next chunk.
    if (afterCarriageReturn && chunk[0] === LF) at = 1;
    if (chunk.length > 0) afterCarriageReturn = false;
    let [lf, cr] = [chunk.indexOf(LF, at), chunk.indexOf(CR, at)];
    while (lf !== -1 || cr !== -1) {
      const isCr = cr !== -1 && (lf === -1 || cr < lf);
      const end = isCr ? cr : lf;
      const event = endLine(chunk.subarray(at, end));
      if (event) events.push(event);
      at = end + (isCr && chunk[end + 1] === LF ? 2 : 1);
      afterCarriageReturn = isCr && at === chunk.length && chunk[end + 1] === undefined;
      if (lf !== -1 && lf < at) lf = chunk.indexOf(LF, at);
      if (cr !== -1 && cr < at) cr = chunk.indexOf(CR, at);
    }
    if (at < chunk.length) begun.add(chunk.subarray(at));
    if (at === 0) release(chunk);
    return events;
  };

  return {
    push,
    get lastEventId() {
      return lastEventId;
    },
    get pending() {
      return data.reduce((sum, line) => sum + line.length, begun.size);
    },
    get retry() {
      return retry;
    },
  };
};

const joined = (first: Buffer, rest: readonly Buffer[]): Buffer =>
  Buffer.concat([first, ...rest.flatMap(line => [LINE_FEED, line])]);
