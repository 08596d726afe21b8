import {SetupError} from '../errors/errors.ts';
import {portalIn} from '../ports/network/portal.ts';
import {cleanText} from '../text.ts';
import type {ChannelReply} from './channel.ts';
import {createGathering, release} from './gather.ts';
import {type Share, unshared} from './held-answers.ts';
import {typeOf} from './refusal.ts';
import type {Heard} from './resumption.ts';
import {createSseParser} from './sse.ts';

/** Takes one message, and says by a promise when the next may come. False for what is no message. */
export type Deliver = (message: Buffer) => Promise<boolean>;

/**
 * Reads the messages of a reply as they come: one of `application/json`, or a stream of them.
 *
 * @param heard told what came with each part of a stream, also when the stream breaks off later
 * @param share what it may hold beside other answers; it is given back in the end
 * @throws SetupError when the reply is neither, or when it breaks off
 */
export const readAnswer = async (
  reply: ChannelReply,
  deliver: Deliver,
  heard: (told: Heard) => void,
  share: Share = unshared,
): Promise<void> => {
  const type = typeOf(reply);
  try {
    if (type === 'text/event-stream') return await readEvents(reply, deliver, heard, share);
    if (type === 'application/json') return await readJson(reply, deliver, share);
  } finally {
    share.end();
  }
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

const readEvents = async (reply: ChannelReply, deliver: Deliver, heard: (told: Heard) => void, share: Share) => {
  const parser = createSseParser(MOST);
  const {url} = reply;
  for await (const chunk of reply.body) {
    const events = parser.push(chunk);
    if (parser.isTooLarge) throw tooLarge(url);
    const whole = events.reduce((sum, {data}) => sum + data.length, 0);
    await share.grow(parser.pending + whole);
    const messages: (string | undefined)[] = [];
    for (const {data, type, id} of events) {
      if (data.length === 0 || (type !== '' && type !== 'message')) continue;
      if (await deliver(data)) messages.push(id);
    }
    share.shrink(parser.pending);
    heard({lastEventId: parser.lastEventId, retry: parser.retry, messages});
  }
};

const readJson = async (reply: ChannelReply, deliver: Deliver, share: Share) => {
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
    await share.grow(gathered.size);
  }
  const isMessage = await deliver(gathered.take());
  if (isMessage) return;
  throw new SetupError('platform-invalid-answer', `${reply.url.href} returned JSON that is not an MCP message.`, {
    about: {url: reply.url.href},
  });
};
