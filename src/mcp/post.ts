import type {Channel, ChannelReply, ChannelRequest} from './channel.ts';
import {MovedError} from './channel.ts';
import {mcpHeaders} from './messages/mcp-headers.ts';
import {type Message, versionOf} from './messages/message.ts';
import type {ParamHeaders} from './messages/param-headers.ts';
import {isSessionLost, type Refusal, readRefusal} from './refusal.ts';
import {HANDSHAKE_TIMEOUT, messageHeaders, type Session} from './session.ts';

/** What became of a message: a reply to read, or a refusal in full. */
export type Posted =
  | {readonly outcome: 'taken'; readonly reply: ChannelReply}
  | {readonly outcome: 'refused'; readonly refusal: Refusal; readonly url: URL};

export type PostPorts = {
  readonly channel: Channel;
  readonly session: Session;
  readonly paramHeaders: ParamHeaders;
};

/** Calls that change nothing on the server, or nothing more when they come twice. Of a tool nobody knows that. */
const repeatable = /^(initialize|ping|server\/discover|.+\/(list|get|read|templates\/list)|notifications\/.+)$/;

/** What the slowest line still carries, in bytes for each millisecond: a large answer to the server takes its time. */
const SLOWEST = 16;

/**
 * Sends one message as it came. Where the server has forgotten the session, or the platform has moved, the session is
 * begun again first, and the message sent once more: it was refused, so nothing is done twice.
 */
export const post = async (
  message: Message,
  {channel, session, paramHeaders}: PostPorts,
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
      repeatable: repeatable.test(method),
      from: inSession ? session.url : undefined,
      ...(isQuick ? {headersTimeout: HANDSHAKE_TIMEOUT + raw.length / SLOWEST} : {}),
    };
    const reply = await channel.call(request, signal);
    const refusal = await readRefusal(reply);
    return refusal ? {outcome: 'refused', refusal, url: reply.url} : {outcome: 'taken', reply};
  };

  const {generation} = session;
  let posted: Posted;
  try {
    posted = await attempt();
    const isLost = posted.outcome === 'refused' && isSessionLost(posted.refusal);
    if (!isLost || isModern || isInitialize || !session.isOpen) return posted;
  } catch (error) {
    if (!(error instanceof MovedError)) throw error;
  }
  await session.revive(generation);
  return attempt();
};
