import {createGathering, release} from './gather.ts';

/** One event of a stream (HTML 9.2.6): its data, lines joined by a line feed, and its identifier where it names one. */
export type SseEvent = {readonly data: Buffer; readonly type: string; readonly id?: string};

export type SseParser = {
  /** The events that end in this chunk, which belongs to the parser. Those without data only move `lastEventId`. */
  push(chunk: Buffer): readonly SseEvent[];
  /** What to send as Last-Event-ID when the stream is to go on where it broke off; empty for none. */
  readonly lastEventId: string;
  /** The server's wish for the wait before that, in milliseconds. */
  readonly retry: number | undefined;
  /** What was read of the data of an event that has not ended, and of a line that has not, in bytes. */
  readonly pending: number;
};

/** The longest name of a field that means something, in bytes. */
const LONGEST_NAME = 'event'.length;

/** Longer identifiers are ignored, in bytes: with the other headers, most servers take 8 to 16 KiB. */
const LONGEST_ID = 4 * 1024;

/** No wish for a pause has more digits, in milliseconds. */
const MOST_DIGITS = 9;

const [LF, CR, SPACE, COLON, DEL] = [0x0a, 0x0d, 0x20, 0x3a, 0x7f] as const;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = Buffer.from([LF]);

/**
 * An identifier as the value of `Last-Event-ID`: its UTF-8 bytes (HTML 9.2.4), one character each, as Node writes headers.
 */
export const lastEventIdHeader = (id: string): string => Buffer.from(id, 'utf8').toString('latin1');

/**
 * Reads server-sent events from bytes, so that a character cut in two by a chunk's end is whole again, and a long line is
 * put together once.
 */
export const createSseParser = (): SseParser => {
  /** The beginning of a line whose end has not come. */
  const begun = createGathering();
  let afterCarriageReturn = false;
  let isFirstLine = true;
  /** The data of the event so far: one line as it came, several of them in `gathered`. */
  let data: Buffer | undefined;
  const gathered = createGathering();
  /** What was read of its data lines, with their names and ends. */
  let dataRead = 0;
  let type = '';
  let id = '';
  let ownId: string | undefined;
  let lastEventId = '';
  let retry: number | undefined;

  const endEvent = (): SseEvent | undefined => {
    lastEventId = id;
    const whole = gathered.isEmpty ? data : gathered.take();
    const event = whole && {data: whole, type, ...(ownId === undefined ? {} : {id: ownId})};
    data = undefined;
    dataRead = 0;
    type = '';
    ownId = undefined;
    return event;
  };

  const takeData = (value: Buffer) => {
    if (data === undefined) {
      data = value;
      return;
    }
    // Many lines are copied as they come: a buffer for each is a hundred bytes for a line of none.
    if (gathered.isEmpty) {
      gathered.add(data);
      data = Buffer.alloc(0);
    }
    gathered.add(LINE_FEED);
    gathered.add(value);
  };

  const takeField = (line: Buffer) => {
    const colon = line.indexOf(COLON);
    const end = colon === -1 ? line.length : colon;
    const name = end > LONGEST_NAME ? '' : line.toString('latin1', 0, end);
    const from = colon === -1 ? line.length : colon + (line[colon + 1] === SPACE ? 2 : 1);
    const value = line.subarray(from);
    if (name === 'data') {
      dataRead += line.length + 1;
      takeData(value);
    } else if (name === 'event') type = value.toString('utf8');
    else if (name === 'id') {
      if (isSendable(value)) {
        id = value.toString('utf8');
        ownId = id;
      }
    } else if (name === 'retry' && isNumber(value)) retry = Number(value.toString('latin1'));
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
      return dataRead + begun.size;
    },
    get retry() {
      return retry;
    },
  };
};

/**
 * Whether an identifier can be sent back. HTML ignores one with NUL; other controls cannot stand in a header either
 * (RFC 9110 5.5).
 */
const isSendable = (value: Buffer): boolean =>
  value.length <= LONGEST_ID && value.every(byte => byte >= SPACE && byte !== DEL);

const isNumber = (value: Buffer): boolean =>
  value.length > 0 && value.length <= MOST_DIGITS && value.every(byte => byte >= 0x30 && byte <= 0x39);
