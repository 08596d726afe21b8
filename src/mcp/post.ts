import {type ErrorCode, familyOf, type SetupError, throwUnsent, type WordedError} from '../errors/errors.ts';
import {noAttemptFor, retryAfterIn, waitSentence} from '../errors/http-status.ts';
import {parseJson} from '../json.ts';
import type {Clock} from '../ports/ports.ts';
import {type Channel, type ChannelReply, type ChannelRequest, MovedError} from './channel.ts';
import {mcpHeaders, type ParamHeaders} from './headers.ts';
import {isObject, type Message, type MessageHead, MOST_PAGES, type Question, versionOf} from './message.ts';
import {type HttpRefusal, isHeaderMismatch, isSessionLost, readRefusal, unlessRefused} from './refusal.ts';
import {answerIn, HANDSHAKE_TIMEOUT, messageHeaders, type Session} from './session.ts';

/** The outcome of a message: a response to read, unless it is a refusal, which has already been read. */
type Posted = {readonly reply: ChannelReply; readonly refusal: HttpRefusal | undefined};

export type PostPorts = {
  readonly channel: Channel;
  readonly session: Session;
  readonly paramHeaders: ParamHeaders;
  readonly clock: Clock;
  /** Answers a handshake instead of a server that asks for a pause, so that the assistant does not wait for it. */
  readonly localServer?: LocalServer | undefined;
};

/** Longest total wait for a busy server before a message is repeated, in milliseconds, and the most waits. */
const LONGEST_ALONE = 10_000;
const MOST_WAITS = 4;

/** Shortest wait, even if the server asks for a wait of zero, in milliseconds. */
const SHORTEST_ALONE = 100;

/** Bytes per millisecond that even the slowest connection carries. */
const SLOWEST = 16;

/**
 * Sends one message unchanged. If the server has forgotten the session, or the platform has moved, the message was
 * refused, so it is sent once more in a new session.
 */
export const post = async (
  message: Message,
  {channel, session, paramHeaders, clock, localServer}: PostPorts,
  signal: AbortSignal,
): Promise<Posted> => {
  const {method = '', raw} = message;
  const isModern = versionOf(message) !== undefined;
  const isInitialize = method === 'initialize';
  // Only other requests may take long before their answer begins.
  const isQuick = isInitialize || method === 'server/discover' || message.questions.length === 0;

  const attempt = async (): Promise<Posted> => {
    const inSession = !isModern && !isInitialize;
    const more = isModern ? {...mcpHeaders(message), ...paramHeaders.of(message)} : inSession ? session.headers() : {};
    const request: ChannelRequest = {
      ...{method: 'POST', headers: {...messageHeaders, ...more}, body: raw, repeatable: isRepeatable(method)},
      from: inSession ? session.url : undefined,
      ...(isQuick ? {headersTimeout: HANDSHAKE_TIMEOUT + raw.length / SLOWEST} : {}),
    };
    const reply = await channel.call(request, signal);
    return {reply, refusal: await readRefusal(reply)};
  };

  const mayWait = isRepeatable(method) && !(isInitialize && localServer);
  const attemptPatiently = async (): Promise<Posted> => {
    let left = LONGEST_ALONE;
    for (let waits = 0; ; waits += 1) {
      const posted = await attempt();
      const {refusal} = posted;
      const asked = refusal?.status === 429 || refusal?.status === 503 ? retryAfterIn(refusal) : undefined;
      const alone = Math.max(asked ?? Number.POSITIVE_INFINITY, SHORTEST_ALONE);
      if (alone > left || waits === MOST_WAITS || !mayWait) return posted;
      left -= alone;
      await clock.sleep(alone, signal);
    }
  };

  const {generation} = session;
  try {
    let posted = await attemptPatiently();
    if (isModern && method === 'tools/call' && posted.refusal && isHeaderMismatch(posted.refusal)) {
      await learnTools(message, {channel, paramHeaders}, signal).catch(throwUnsent);
      posted = await attemptPatiently();
    }
    const isLost = posted.refusal && isSessionLost(posted.refusal);
    if (!isLost || isModern || isInitialize || !session.isOpen) return posted;
  } catch (error) {
    if (!(error instanceof MovedError)) throw error;
  }
  // The server refused the message, so it counts as unsent even if the new handshake fails.
  await session.revive(generation).catch(throwUnsent);
  return attemptPatiently();
};

/**
 * Lists the tools of a server for a call that it refused because of its headers. The assistant may know the list from
 * an earlier process, or from its own cache (MCP 2026-07-28, Streamable HTTP, schema extension).
 */
const learnTools = async (
  {params}: Message,
  {channel, paramHeaders}: Pick<PostPorts, 'channel' | 'paramHeaders'>,
  signal: AbortSignal,
): Promise<void> => {
  const {progressToken: _, ...meta} = isObject(params?._meta) ? params._meta : {};
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const listing = {method: 'tools/list', params: {_meta: meta, cursor}};
    const body = Buffer.from(JSON.stringify({jsonrpc: '2.0', id: `platform-setup: tools/list ${page}`, ...listing}));
    const headers = {...messageHeaders, ...mcpHeaders(listing)};
    const request = {method: 'POST', headers, body, repeatable: true, headersTimeout: HANDSHAKE_TIMEOUT} as const;
    const answer = await answerIn(await unlessRefused(await channel.call(request, signal)));
    const message: unknown = answer && parseJson(answer.toString('utf8'));
    const result = isObject(message) ? message.result : undefined;
    if (!answer || !isObject(result)) return;
    paramHeaders.learn(answer, true);
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') return;
  }
};

/** Calls that change nothing on the server, or nothing more when repeated. A call of a tool may change something. */
const repeatable: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'server/discover', 'completion/complete', 'logging/setLevel', 'tasks/result'],
  ...['resources/subscribe', 'resources/unsubscribe', 'subscriptions/listen'],
]);

/** Whether a message may be sent again if it is unknown whether the server has handled it. */
export const isRepeatable = (method: string | undefined): boolean =>
  method !== undefined &&
  (repeatable.has(method) || method.startsWith('notifications/') || /.\/(?:list|get|read)$/.test(method));

/** Failures that happen before an answer begins, and leave open what the server did. */
const unclear: ReadonlySet<ErrorCode> = new Set([
  'network-lost',
  'network-reset',
  'network-timeout',
  'network-failed',
  'network-proxy',
  'platform-error',
  'platform-unhealthy',
  'platform-invalid-answer',
  'platform-mcp-failed',
  'bug',
]);

/** Remedies in place of those that say “try again”, which would repeat a call that may change something. */
const withoutAnotherTry: Partial<Record<ErrorCode, string>> = {
  'network-lost': 'Check your connection, VPN and proxy.',
  'network-timeout':
    'Check your connection, VPN and proxy. If others have the same problem, tell the platform’s operators.',
  'network-reset':
    'Check the port, and whether it speaks http or https. If both are right, tell the server’s operators.',
  'network-failed': 'Check the address, your connection and your VPN.',
  'platform-error': 'Ask the platform’s operators to check the server’s log.',
  'platform-unhealthy': 'Ask your platform team to check it.',
  'platform-invalid-answer': 'Ask the platform’s operators to check the server: its version may not be supported.',
  'platform-rejected': 'Change what the server does not accept: its answer says what.',
};

/**
 * Returns the failure for the assistant: it says whether the call may have been carried out, and does not advise
 * repeating what may change something.
 *
 * @param isTaken true if the server had begun to answer
 */
export const failureForAssistant = (
  failure: SetupError,
  {method, questions}: MessageHead,
  isTaken: boolean,
): SetupError => {
  const {code, about} = failure;
  if (questions.length === 0) return failure;
  if (isRepeatable(method))
    return code === 'network-lost' ? failure.saying('', 'Try again: this call changes nothing.') : failure;
  if (about.isUnsent) {
    const isOutside = familyOf(code) === 'network' || familyOf(code) === 'platform';
    return failure.saying(isOutside ? ' The call was not sent, so nothing was carried out.' : '', calm(failure));
  }
  // A portal page that came instead of the server's answer has a remedy of its own.
  const isUnclear = (isTaken && code !== 'network-portal') || unclear.has(code);
  return failure.saying('', isUnclear ? {of: 'network-lost'} : calm(failure));
};

/**
 * Returns a remedy that does not advise another try. Undefined if the usual remedy does no harm: that remedy may depend
 * on how the person signs in.
 */
const calm = ({code, about: {isUnsent, retryAfter}}: SetupError): string | undefined => {
  if (code !== 'platform-busy') {
    const calmly = withoutAnotherTry[code];
    // A renewal that has just failed is not repeated before this pause ends.
    const pause = calmly !== undefined && retryAfter !== undefined && isUnsent;
    return pause ? `${noAttemptFor(retryAfter)} ${calmly}` : calmly;
  }
  const alone = retryAfter === undefined ? '' : `${waitSentence(retryAfter)} `;
  return `${alone}${isUnsent ? 'The next call tries again.' : 'Check whether the call did anything before you repeat it.'}`;
};

/** Answers an assistant instead of a server that cannot be reached. */
export type LocalServer = {
  /**
   * How long to wait for a server that may be unreachable, in milliseconds: at the handshake, and at each later request
   * until the server has answered a handshake.
   */
  readonly timeouts: {readonly handshake: number; readonly request: number};
  /** Handles a message that is meant for the local server, such as a call of its own tool. False for any other. */
  takes(message: Message): boolean;
  /** Returns the same failure, with a remedy for the person behind the assistant. */
  explain(failure: SetupError): Promise<WordedError>;
  /** Answers one request of a message that failed; undefined if the failure from `explain` is the answer. */
  answer(question: Question, message: Message, failure: WordedError, session: Session): Promise<Buffer | undefined>;
  /** The assistant has begun its session, and only the local server has answered it. */
  begun(): void;
  taken(message: Message): void;
  /** The assistant has received this answer of the server with a list of tools. */
  listed(answer: Buffer): void;
  /** A server that could not be reached at the handshake has now answered it. */
  arrived(): void;
  /** The assistant may see other tools now, without any change of the server. */
  toolsChanged(): void;
};
