import {EventEmitter, once} from 'node:events';
import {createParser} from 'eventsource-parser';
import {SetupError} from '../errors/errors.ts';
import {failureAt} from '../ports/network/curl.ts';
import {portalIn} from '../ports/network/portal.ts';
import type {Clock} from '../ports/ports.ts';
import {cleanText} from '../text.ts';
import type {ChannelReply} from './channel.ts';
import {typeOf} from './refusal.ts';

/** Takes one message, and resolves when the next may come. False if it is not a message. */
type Deliver = (message: Buffer) => Promise<boolean>;

/**
 * Called for each part of a stream, with the parser's position and the identifiers of the messages in that part; an
 * identifier is undefined if the message has none.
 */
type Heard = (parser: ReturnType<typeof createSseParser>, messages: readonly (string | undefined)[]) => void;

/**
 * Reads the messages of a response as they come: a single one from `application/json`, or any number from an event
 * stream.
 *
 * @throws SetupError if the response is neither, or breaks off
 */
export const readAnswer = async (
  reply: ChannelReply,
  deliver: Deliver,
  heard: Heard = () => {},
  share?: Share,
): Promise<void> => {
  const type = typeOf(reply);
  try {
    if (type === 'text/event-stream') return await readEvents(reply, deliver, heard, share);
    if (type === 'application/json') return await readJson(reply, deliver, share);
  } finally {
    share?.shrink(0);
  }
  let body = '';
  for await (const chunk of reply.body) {
    body = chunk.toString();
    break;
  }
  const portal = portalIn({status: reply.status, header: reply.header, body}, reply.url);
  if (portal) throw portal;
  const what = type === '' ? 'no content type' : cleanText(type);
  throw failureAt(reply.url, 'platform-mcp-failed', `returned ${what} instead of an MCP reply.`);
};

/** Largest message from a server, in bytes: it is held until it is complete. */
const MOST = 64 * 1024 * 1024;

export const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

const tooLarge = (url: URL, size?: number): SetupError => {
  const [what, most] = [size === undefined ? `more than ${mebibytes(MOST)}` : mebibytes(size), mebibytes(MOST)];
  return failureAt(url, 'platform-invalid-answer', `returned ${what} in one message; the limit is ${most}.`, {
    remedy: 'Ask for less at a time: use pages, a filter or a shorter time range.',
  });
};

const readEvents = async (reply: ChannelReply, deliver: Deliver, heard: Heard, share?: Share) => {
  const parser = createSseParser();
  for await (const chunk of reply.body) {
    const events = parser.push(chunk);
    if (parser.isTooLarge) throw tooLarge(reply.url);
    const whole = events.reduce((sum, {data}) => sum + data.length, 0);
    await share?.grow(parser.pending + whole);
    const messages: (string | undefined)[] = [];
    for (const {data, type, id} of events) {
      if (data.length === 0 || (type !== '' && type !== 'message')) continue;
      if (await deliver(data)) messages.push(id);
    }
    share?.shrink(parser.pending);
    heard(parser, messages);
  }
};

const readJson = async (reply: ChannelReply, deliver: Deliver, share?: Share) => {
  const announced = Number(reply.header('content-length'));
  if (announced > MOST) {
    reply.endWithin(0);
    throw tooLarge(reply.url, announced);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST) throw tooLarge(reply.url);
    await share?.grow(size);
  }
  if (await deliver(Buffer.concat(chunks))) return;
  throw failureAt(reply.url, 'platform-invalid-answer', 'returned JSON that is not an MCP message.');
};

/** One event of a stream (HTML 9.2.6): its data, with lines joined by a line feed, and its identifier if it has one. */
type SseEvent = {readonly data: Buffer; readonly type: string; readonly id?: string};

/** The longest event ID that is kept, in characters: most servers accept only 8 to 16 KiB for all headers together. */
const LONGEST_ID = 4 * 1024;

/** A longer pause that the server requests is ignored. In milliseconds. */
const LONGEST_RETRY = 1_000_000_000;

export const createSseParser = () => {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  let events: SseEvent[] = [];
  const parser = createParser({
    maxBufferSize: MOST,
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
  const state = {
    /** The value of Last-Event-ID with which to resume the stream; empty for none. */
    lastEventId: '',
    retry: undefined as number | undefined,
    /** The size of the incomplete event that is being held, in bytes. */
    pending: 0,
    /** True if the input after the last event exceeds the limit. Nothing more can be read then. */
    isTooLarge: false,
    /** Returns the events with data that end in this chunk. The others only set `lastEventId` and `retry`. */
    push: (chunk: Buffer): readonly SseEvent[] => {
      events = [];
      state.pending = endsEvent(chunk) ? 0 : state.pending + chunk.length;
      try {
        parser.feed(decoder.decode(chunk, {stream: true}));
      } catch {
        // The parser accepts nothing more after too much input. Its `onError` is not used: it would create an error
        // for each unknown line.
        state.isTooLarge = true;
      }
      return events;
    },
  };
  return state;
};

/** Whether a chunk ends with a blank line, so that no part of an event is held after it. */
const endsEvent = (chunk: Buffer): boolean =>
  /(?:\n\n|\r\n\r\n|\r\r)$/.test(chunk.toString('latin1', chunk.length - 4));

/** Whether an identifier can be sent back in a header (RFC 9110 5.5). */
const isSendable = (id: string): boolean => id.length <= LONGEST_ID && !/[\0-\x1f\x7f]/.test(id);

/** The most identifiers that are remembered, to recognise repeated messages. */
const MOST_KNOWN = 1_000;

/** The most times in a row that a broken stream is resumed while no new message arrives. */
const RESUMPTIONS = 12;

/**
 * Reads a stream of messages, and resumes it when it breaks (MCP 2025-11-25, resumability): at growing intervals until
 * a message comes that was not received before.
 *
 * @param open opens the stream with the headers that name the position; undefined if the stream no longer exists
 * @param goesOn decides whether to resume, from the error that the stream ended with, and from whether it is resumable:
 *   the server has named a position and keeps sending something new. It throws to fail the stream
 */
export const readOn = async (
  open: (where: Readonly<Record<string, string>>) => Promise<ChannelReply | undefined>,
  deliver: (message: Buffer, reply: ChannelReply) => Promise<boolean>,
  goesOn: (broke: unknown, isResumable: boolean) => boolean,
  {clock, held}: {readonly clock: Clock; readonly held?: HeldAnswers},
  signal: AbortSignal,
): Promise<void> => {
  const known = new Set<string>();
  let lastEventId = '';
  let retry: number | undefined;
  let tries = 0;

  const isNew = (id: string | undefined): boolean => {
    if (id === undefined) return true;
    if (known.has(id)) return false;
    if (known.size < MOST_KNOWN) known.add(id);
    return true;
  };
  const heard: Heard = (parser, messages) => {
    // An event without an ID or without a pause leaves the last ID or the last pause valid.
    if (parser.lastEventId !== '') ({lastEventId} = parser);
    retry = parser.retry ?? retry;
    if (messages.filter(isNew).length > 0) tries = 0;
  };
  for (;;) {
    let broke: unknown;
    try {
      // The identifier as its UTF-8 bytes (HTML 9.2.4), one character per byte, as headers are written.
      const where = lastEventId === '' ? {} : {'last-event-id': Buffer.from(lastEventId, 'utf8').toString('latin1')};
      const reply = await open(where);
      if (!reply) return;
      await readAnswer(reply, message => deliver(message, reply), heard, held?.share(signal));
    } catch (error) {
      broke = error;
    }
    if (!goesOn(broke, lastEventId !== '' && tries < RESUMPTIONS)) return;
    tries += 1;
    await clock.sleep(resumeDelay(tries - 1, retry, broke), signal);
  }
};

/** The pause if the server requests none, and the longest pause, in milliseconds. */
const FIRST = 1_000;
const LONGEST = 30_000;

/**
 * The shortest pause, in milliseconds, even if the server requests a shorter one: otherwise it could cause a thousand
 * requests a second.
 */
const LEAST = 250;

/**
 * Returns how long to wait before a stream is resumed, in milliseconds: the pause that the server requested (`retry`,
 * HTML 9.2.6), longer with each failure, at least the `Retry-After` of the server, and at most `LONGEST`.
 */
export const resumeDelay = (tries: number, wish: number | undefined, broke?: unknown): number => {
  const alone = broke instanceof SetupError ? (broke.about.retryAfter ?? 0) : 0;
  const own = Math.max(wish ?? FIRST, LEAST) * 1.5 ** tries;
  return Math.min(Math.max(own, alone), LONGEST);
};

/** The most that all answers hold before further reading waits, in bytes: as much as one answer may have. */
const MOST_HELD = 64 * 1024 * 1024;

type Share = {
  /**
   * Sets the number of bytes that this answer holds. Resolves when more may be read, undefined if at once; rejects when
   * its signal aborts.
   */
  grow(bytes: number): Promise<void> | undefined;
  shrink(bytes: number): void;
};

export type HeldAnswers = ReturnType<typeof createHeldAnswers>;

/**
 * Creates a common limit for the memory of all answers: those that are incomplete, and those that the assistant has not
 * read. Above the limit one answer still continues, so that there is always one that completes. The connections of the
 * others are not read until then, so that the server cannot send more; nothing is lost.
 */
export const createHeldAnswers = () => {
  let held = 0;
  /** The one answer that may be read above the limit. */
  let going: Share | undefined;
  const less = new EventEmitter().setMaxListeners(0);

  const share = (signal: AbortSignal): Share => {
    let own = 0;
    const hold = (bytes: number) => {
      held += bytes - own;
      own = bytes;
    };
    const mayGoOn = () => {
      if (held > MOST_HELD) going ??= self;
      return held <= MOST_HELD || going === self;
    };
    const wait = async () => {
      while (!mayGoOn()) await once(less, 'less', {signal});
    };
    const self: Share = {
      grow: bytes => {
        hold(bytes);
        return mayGoOn() ? undefined : wait();
      },
      shrink: bytes => {
        hold(bytes);
        // Its right to exceed the limit ends at once: a stream may be silent for hours after its last message.
        if (bytes === 0 && going === self) going = undefined;
        less.emit('less');
      },
    };
    return self;
  };
  return {share};
};
