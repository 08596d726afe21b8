import {SetupError} from '../errors/errors.ts';
import {portalIn} from '../ports/network/portal.ts';
import {cleanText} from '../text.ts';
import type {ChannelReply} from './channel.ts';
import {createGathering, release} from './gather.ts';
import {typeOf} from './refusal.ts';
import type {Heard} from './resumption.ts';
import {createSseParser} from './sse.ts';

/** Takes one message, and says by a promise when the next may come. False for what is no message. */
export type Deliver = (message: Buffer) => Promise<boolean>;

/**
 * Reads the messages of a reply as they come: one of `application/json`, or a stream of them.
 *
 * @param heard told what came with each part of a stream, also when the stream breaks off later
 * @throws SetupError when the reply is neither, or when it breaks off
 */
export const readAnswer = async (
  reply: ChannelReply,
  deliver: Deliver,
  heard: (told: Heard) => void,
): Promise<void> => {
  const type = typeOf(reply);
  if (type === 'text/event-stream') return readEvents(reply, deliver, heard);
  if (type === 'application/json') return readJson(reply, deliver);
  let body = '';
  for await (const chunk of reply.body) {
    body = chunk.toString();
    break;
  }
  const portal = portalIn({status: reply.status, header: reply.header, body}, reply.url);
  if (portal) throw portal;
  const {href} = reply.url;
  const what = type === '' ? 'no content type' : cleanText(type);
  throw new SetupError('platform-mcp-failed', `${href} returned ${what} instead of an MCP reply.`, {
    about: {url: href},
  });
};

/** The most that one message from a server may be, in bytes: it is held until it is whole. */
export const MOST = 64 * 1024 * 1024;

export const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

const tooLarge = ({href}: URL, size?: number): SetupError => {
  const [what, most] = [size === undefined ? `more than ${mebibytes(MOST)}` : mebibytes(size), mebibytes(MOST)];
  return new SetupError('platform-invalid-answer', `${href} returned ${what} in one message; the limit is ${most}.`, {
    about: {url: href},
    remedy: 'Ask for less at a time: use pages, a filter or a shorter time range.',
  });
};

const readEvents = async (reply: ChannelReply, deliver: Deliver, heard: (told: Heard) => void) => {
  const parser = createSseParser();
  const {url} = reply;
  for await (const chunk of reply.body) {
    const events = parser.push(chunk);
    if (parser.pending > MOST) throw tooLarge(url);
    const messages: (string | undefined)[] = [];
    for (const {data, type, id} of events) {
      if (data.length === 0 || (type !== '' && type !== 'message')) continue;
      if (await deliver(data)) messages.push(id);
    }
    heard({lastEventId: parser.lastEventId, retry: parser.retry, messages});
  }
};

const readJson = async (reply: ChannelReply, deliver: Deliver) => {
  const gathered = createGathering();
  const size = Number(reply.header('content-length'));
  if (size > MOST) {
    reply.endWithin(0);
    throw tooLarge(reply.url, size);
  }
  for await (const chunk of reply.body) {
    gathered.add(chunk);
    release(chunk);
    if (gathered.size > MOST) throw tooLarge(reply.url);
  }
  const isMessage = await deliver(gathered.take());
  if (isMessage) return;
  throw new SetupError('platform-invalid-answer', `${reply.url.href} returned JSON that is not an MCP message.`, {
    about: {url: reply.url.href},
  });
};
