import {retryAfterIn} from '../errors/busy.ts';
import {throwUnsent} from '../errors/unsent.ts';
import type {Clock} from '../ports/ports.ts';
import type {Channel, ChannelReply, ChannelRequest} from './channel.ts';
import {MovedError} from './channel.ts';
import {mcpHeaders} from './messages/mcp-headers.ts';
import {type Message, versionOf} from './messages/message.ts';
import type {ParamHeaders} from './messages/param-headers.ts';
import {isSessionLost, type Refusal, readRefusal} from './refusal.ts';
import {HANDSHAKE_TIMEOUT, messageHeaders, type Session} from './session.ts';
import type {StandIn} from './stand-in.ts';
import {isRepeatable} from './told.ts';

/** What became of a message: a reply to read, or a refusal in full. */
export type Posted =
  | {readonly outcome: 'taken'; readonly reply: ChannelReply}
  | {readonly outcome: 'refused'; readonly refusal: Refusal; readonly url: URL};

export type PostPorts = {
  readonly channel: Channel;
  readonly session: Session;
  readonly paramHeaders: ParamHeaders;
  readonly clock: Clock;
  /** Answers a handshake in the place of a server that asks to be left alone, so that nobody waits for that. */
  readonly standIn?: StandIn | undefined;
};

/**
 * What a server asks for that has too much to do is done where the message may be repeated, and where it is short: so
 * long in all, in milliseconds, and so often.
 */
const LONGEST_ALONE = 10_000;
const MOST_WAITS = 4;

/** Who asks for no wait at all, and refuses, gets this one, in milliseconds. */
const SHORTEST_ALONE = 100;

/** What the slowest line still carries, in bytes for each millisecond: a large answer to the server takes its time. */
const SLOWEST = 16;

/**
 * Sends one message as it came. Where the server has forgotten the session, or the platform has moved, the session is
 * begun again first, and the message sent once more: it was refused, so nothing is done twice.
 */
export const post = async (
  message: Message,
  {channel, session, paramHeaders, clock, standIn}: PostPorts,
  signal: AbortSignal,
): Promise<Posted> => {
  const {method = '', raw} = message;
  const isModern = versionOf(message) !== undefined;
  const isInitialize = method === 'initialize';
  // Only a request may be worked on for long before its answer begins.
  const isQuick = isInitialize || method === 'server/discover' || message.questions.length === 0;

  const attempt = async (): Promise<Posted> => {
    const inSession = !isModern && !isInitialize;
    const more = isModern ? {...mcpHeaders(message), ...paramHeaders.of(message)} : inSession ? session.headers() : {};
    const request: ChannelRequest = {
      method: 'POST',
      headers: {...messageHeaders, ...more},
      body: raw,
      repeatable: isRepeatable(method),
      from: inSession ? session.url : undefined,
      ...(isQuick ? {headersTimeout: HANDSHAKE_TIMEOUT + raw.length / SLOWEST} : {}),
    };
    const reply = await channel.call(request, signal);
    const refusal = await readRefusal(reply);
    return refusal ? {outcome: 'refused', refusal, url: reply.url} : {outcome: 'taken', reply};
  };

  const mayWait = isRepeatable(method) && !(isInitialize && standIn);
  const attemptPatiently = async (): Promise<Posted> => {
    let left = LONGEST_ALONE;
    for (let waits = 0; ; waits += 1) {
      const posted = await attempt();
      const alone = posted.outcome === 'refused' ? aloneFor(posted.refusal) : undefined;
      if (alone === undefined || alone > left || waits === MOST_WAITS || !mayWait) return posted;
      left -= alone;
      await clock.sleep(alone, signal);
    }
  };

  const {generation} = session;
  let posted: Posted;
  try {
    posted = await attemptPatiently();
    const isLost = posted.outcome === 'refused' && isSessionLost(posted.refusal);
    if (!isLost || isModern || isInitialize || !session.isOpen) return posted;
  } catch (error) {
    if (!(error instanceof MovedError)) throw error;
  }
  // The message itself was refused, whatever became of the handshake.
  await session.revive(generation).catch(throwUnsent);
  return attemptPatiently();
};

/** How long a server asks to be left alone, in milliseconds; undefined where it does not. */
const aloneFor = (refusal: Refusal): number | undefined => {
  const asked = refusal.status === 429 || refusal.status === 503 ? retryAfterIn(refusal) : undefined;
  return asked === undefined ? undefined : Math.max(asked, SHORTEST_ALONE);
};
