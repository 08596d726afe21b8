import {type ErrorCode, familyOf, SetupError, throwUnsent, toSetupError, type WordedError} from '../errors/errors.ts';
import {onAbort} from '../on-abort.ts';
import {failureAt} from '../ports/network/curl.ts';
import {cleanText} from '../text.ts';
import {type ChannelReply, discard} from './channel.ts';
import {
  emptyListAnswer,
  errorAnswer,
  failureAnswer,
  type IdText,
  inspect,
  type JsonObject,
  METHOD_NOT_FOUND,
  type Message,
  type MessageHead,
  membersOf,
  type Question,
  UNSUPPORTED_VERSION,
  unknownMethodAnswer,
} from './message.ts';
import {failureForAssistant, type PostPorts, post} from './post.ts';
import {type HttpRefusal, isDemand, refusalError, rpcErrorIn, unlessRefused} from './refusal.ts';
import {type HeldAnswers, readOn} from './response-stream.ts';
import {HANDSHAKE_TIMEOUT} from './session.ts';

/** The destination of messages from the server. */
export type MessageOutput = {
  /** Resolves when the next message may be written. Undefined if it may be written at once. */
  write(message: Buffer): Promise<void> | undefined;
};

/** Answers that a server sends in the stream of its own messages, after it has accepted a request with 202. */
export type Elsewhere = {
  /** True if that stream is open. */
  isOpen: boolean;
  /** The receivers of pending answers, by the ID of the request. */
  readonly waiting: Map<IdText, (answer: Buffer) => Promise<boolean>>;
};

export type ExchangePorts = PostPorts & {
  readonly elsewhere: Elsewhere;
  readonly output: MessageOutput;
  /** The common limit for the memory of all answers. */
  readonly held?: HeldAnswers;
  /** Called with the reason why a message failed, before each request in it is answered with that reason. */
  readonly failed: (failure: WordedError, message: MessageHead) => void;
  /** Logs facts that no answer contains. */
  readonly log: (sentence: string) => void;
  readonly seal?: string | undefined;
};

/** A message that is being sent or answered. */
export type InFlightRequest = MessageHead & {
  /** Undefined once a server has answered, or once the answer is no longer wanted. */
  message: Message | undefined;
  readonly isModern: boolean;
  readonly controller: AbortController;
  /** True if the assistant has cancelled the message: no answer is due any more, and none is built. */
  cancelled: boolean;
  /** True if the server may have received it. */
  sent: boolean;
  readonly letGo: () => void;
  /**
   * Called when the server has accepted the message and no request in it waits for an answer. The response stream may
   * continue for a while.
   */
  readonly answered: () => void;
};

/**
 * Sends one message. Unless it is cancelled, every request in it is answered exactly once: by the server, by the local
 * server, or with the reason for the failure.
 */
export const exchange = async (pending: InFlightRequest, ports: ExchangePorts): Promise<void> => {
  const {method, questions, isModern, controller} = pending;
  const {channel, output, session, paramHeaders, failed, log, localServer, clock, seal} = ports;
  const head = withoutBulk(pending);
  const {signal} = controller;
  let isTaken = false;
  const open = new Map(questions.map(question => [question.id, question]));

  const close = (id: string) => {
    if (open.delete(id) && open.size === 0) pending.answered();
  };
  const answerAll = async (build: (question: Question) => Buffer | Promise<Buffer>) => {
    for (const question of [...open.values()]) {
      const answer = await build(question);
      close(question.id);
      await output.write(answer);
    }
  };

  const logRefusedHandshake = (error: JsonObject | undefined) => {
    // An error about the era is handled elsewhere.
    if (error && method === 'initialize' && error.code !== UNSUPPORTED_VERSION)
      log(`The server refused the handshake: ${cleanText(JSON.stringify(error))}`);
  };

  /**
   * An empty list, if the local server promised one that the server does not have.
   *
   * @param error returns the server's error, if any. Most answers are passed on without reading it
   */
  const promised = (question: Question, error: () => JsonObject | undefined): Buffer | undefined =>
    session.isPromised && error()?.code === METHOD_NOT_FOUND ? emptyListAnswer(question) : undefined;

  const passOnError = (error: JsonObject) => {
    logRefusedHandshake(error);
    return answerAll(question => promised(question, () => error) ?? errorAnswer(question.id, error));
  };

  /**
   * Takes from an answer what later messages need, and returns the answer to pass on. Throws if that needs JSON and the
   * answer is not JSON.
   */
  const learn = (question: Question, answer: Buffer): Buffer => {
    session.settings.learn(head, answer);
    if (question.method === 'initialize') {
      session.negotiated(answer);
      logRefusedHandshake(rpcErrorIn(answer));
    }
    if (question.method !== 'tools/list') return promised(question, () => rpcErrorIn(answer)) ?? answer;
    const {left, leftOut} = paramHeaders.learn(answer, isModern);
    for (const {name, reason} of leftOut)
      log(`The bridge leaves out the tool ${cleanText(name)}: ${cleanText(reason)}.`);
    return left;
  };
  const deliver = async (data: Buffer): Promise<boolean> => {
    // A batch of requests may be answered with a batch. For a single request, a batch is split into its members.
    const members = method === undefined ? undefined : membersOf(data);
    if (!members) return deliverOne(data);
    if (!inspect(data)) return false;
    for (const one of members) await deliverOne(one);
    return true;
  };
  const deliverOne = async (data: Buffer): Promise<boolean> => {
    const known = inspect(data);
    if (!known) return false;
    const own = known.answers.includes('null') ? rpcErrorIn(data) : undefined;
    if (own) {
      await passOnError(own);
      return true;
    }
    const answered = known.answers.flatMap(id => open.get(id) ?? []);
    const meant = answered.length === 0 ? meantBy(known.answers, open) : undefined;
    if (meant) return deliverOne(withId(data, meant));
    // No request waits for this answer.
    if (known.answers.length > 0 && answered.length === 0) return true;
    let passed = data;
    try {
      for (const question of answered) passed = learn(question, passed);
    } catch {
      return false;
    }
    for (const {id} of answered) close(id);
    await output.write(passed);
    if (answered.some(one => one.method === 'tools/list')) localServer?.listed(passed);
    return true;
  };

  const isAway = session.isAway && !isModern;
  // A server that could not be reached has no session yet, so there is nothing to send a notification to.
  if (isAway && questions.length === 0) return pending.answered();
  let isLate = false;
  let working: Promise<void> | undefined;
  try {
    // The server gets the handshake before anything else.
    if (isAway) await inTime(session.revive(session.generation), localServer?.timeouts.request).catch(throwUnsent);
    working = work();
    await inTime(working, method === 'initialize' ? localServer?.timeouts.handshake : undefined);
  } catch (error) {
    if (pending.cancelled || (signal.aborted && !isLate)) return;
    const shown = failureForAssistant(toSetupError(error), pending, isTaken);
    const failure = localServer ? await localServer.explain(shown) : await explain(shown);
    if (pending.cancelled) return;
    failed(failure, pending);
    await answerAll(async question => {
      const answer = await localServer?.answer(question, head, failure, session);
      return answer ?? failureAnswer(question.id, failure, seal);
    });
  }
  if (isLate) await working?.catch(() => undefined);

  async function work() {
    if (!pending.message) return;
    const {reply, refusal} = await post(pending.message, ports, signal);
    pending.letGo();
    isTaken = !refusal;
    if (refusal) return refuse(refusal, reply.url);
    localServer?.taken(head);
    return takeReply(reply);
  }

  /** Limits the wait for the server if the local server can answer: a client gives up on a program that is silent. */
  async function inTime(work: Promise<void>, limit: number | undefined): Promise<void> {
    if (limit === undefined) return work;
    const over = new AbortController();
    const runOut = async () => {
      await clock.sleep(limit, over.signal);
      isLate = true;
      // An `initialize` goes on: the server may be starting a session, which then has to be ended there.
      if (method !== 'initialize') controller.abort();
      const message = `The platform did not answer within ${limit / 1000} s.`;
      throw channel.trouble?.() ?? new SetupError('network-timeout', message);
    };
    try {
      await Promise.race([work, runOut()]);
    } finally {
      over.abort();
    }
  }

  async function takeReply(reply: ChannelReply) {
    if (questions.length === 0) pending.answered();
    if (signal.aborted || questions.length === 0) return discard(reply);
    if (isLate) return session.endLate(reply);
    if (method === 'initialize') session.opened(reply);
    // Neither request is work for a server. A call, in contrast, may take as long as the server can be reached.
    if (method === 'initialize' || method === 'server/discover') reply.endWithin(HANDSHAKE_TIMEOUT);
    if (reply.status === 202 && ports.elsewhere.isOpen) return waitElsewhere(reply);
    return follow(reply, open, deliver, pending, ports);
  }

  async function waitElsewhere(reply: ChannelReply) {
    await discard(reply);
    const {promise, resolve} = Promise.withResolvers<void>();
    const ids = [...open.keys()];
    const take = async (answer: Buffer) => {
      const isMessage = await deliver(answer);
      if (open.size === 0) resolve();
      return isMessage;
    };
    for (const id of ids) ports.elsewhere.waiting.set(id, take);
    const stopListening = onAbort(signal, resolve);
    await promise;
    stopListening();
    for (const id of ids) ports.elsewhere.waiting.delete(id);
  }

  async function refuse(refusal: HttpRefusal, url: URL) {
    const own = rpcErrorIn(refusal.text);
    if (own && questions.length > 0 && !isDemand(refusal)) return passOnError(own);
    const [question] = questions;
    // Servers of the earlier eras refuse `server/discover` in different ways. All of them mean an unknown method.
    const isUnknown = question?.method === 'server/discover' && refusal.status >= 400 && refusal.status < 500;
    if (isUnknown && refusal.status !== 403) return answerAll(({id, method}) => unknownMethodAnswer(id, method));
    if (method === 'initialize' && (refusal.status === 404 || refusal.status === 405)) {
      const {oldTransportError} = await import('./http-sse.ts');
      const old = await oldTransportError(channel, url, signal);
      if (old) throw old;
    }
    throw refusalError(refusal, url);
  }
};

/**
 * Returns the numeric ID of an open request if the server answered it with that ID as a string, as in `"1"` for `1`.
 * JSON-RPC 2.0 section 5 demands the same value.
 */
const meantBy = ([id, ...others]: readonly IdText[], open: ReadonlyMap<IdText, Question>): IdText | undefined => {
  const number = id !== undefined && others.length === 0 ? /^"(-?\d+)"$/.exec(id)?.[1] : undefined;
  return number !== undefined && open.has(number) ? number : undefined;
};

const withId = (answer: Buffer, id: IdText): Buffer =>
  Buffer.from(JSON.stringify({...JSON.parse(answer.toString('utf8')), id: JSON.parse(id)}));

/** Largest message that is kept for the local server, in bytes. */
const SMALL = 64 * 1024;

/** Returns a small message as it is, and a large one without its content. */
const withoutBulk = ({message, method, questions}: InFlightRequest): Message =>
  message !== undefined && message.raw.length <= SMALL ? message : {raw: Buffer.alloc(0), method, questions};

/** How long a stream may stay open after the answer, in milliseconds. The server has nothing more to say there. */
export const LINGER = 5_000;

/**
 * Reads a response up to its last answer. If the stream breaks, it is resumed if the server allows it (MCP,
 * resumability).
 */
export const follow = async (
  first: ChannelReply,
  open: ReadonlyMap<string, Question>,
  deliver: (data: Buffer) => Promise<boolean>,
  pending: {readonly controller: AbortController; readonly cancelled: boolean},
  ports: Pick<ExchangePorts, 'channel' | 'session' | 'clock' | 'held' | 'elsewhere'>,
): Promise<void> => {
  const {waiting} = ports.elsewhere;
  const answered = new AbortController();
  const signal = AbortSignal.any([pending.controller.signal, answered.signal]);
  const ids = [...open.keys()];
  // If the stream of an answer has broken, the server may send the answer in the stream of its own messages instead.
  const takeElsewhere = async (data: Buffer) => {
    const isMessage = await deliver(data);
    if (open.size === 0) answered.abort();
    return isMessage;
  };
  let begun: ChannelReply | undefined = first;
  const resume = async (where: Readonly<Record<string, string>>) => {
    const reply = begun;
    begun = undefined;
    if (reply) return reply;
    for (const id of ids) waiting.set(id, takeElsewhere);
    const headers = {accept: 'text/event-stream', ...ports.session.headers(), ...where};
    const request = {method: 'GET', headers, repeatable: true, isAwaited: true, from: first.url} as const;
    return unlessRefused(await ports.channel.call(request, signal));
  };
  const deliverFrom = async (data: Buffer, reply: ChannelReply) => {
    const isMessage = await deliver(data);
    if (open.size === 0) reply.endWithin(LINGER);
    return isMessage;
  };
  const goesOn = (broke: unknown, isResumable: boolean) => {
    if (open.size === 0 || pending.cancelled || signal.aborted) return false;
    if (!isResumable || isFinal(broke)) throw whyNoAnswer(broke, first.url);
    return true;
  };
  try {
    await readOn(resume, deliverFrom, goesOn, ports, signal);
  } catch (error) {
    if (!answered.signal.aborted) throw error;
  } finally {
    for (const id of ids) if (waiting.get(id) === takeElsewhere) waiting.delete(id);
  }
};

const whyNoAnswer = (broke: unknown, url: URL): unknown => {
  // This program cut the response short: the time for a handshake was over.
  const isLate = broke instanceof SetupError && broke.code === 'cancelled';
  if (isLate) return failureAt(url, 'network-timeout', 'did not answer in time.');
  return broke ?? failureAt(url, 'platform-mcp-failed', 'ended its response without an answer.');
};

/** Whether retrying is useless. A network that fails may recover soon, and so may a server that restarts or is busy. */
const isFinal = (error: unknown): boolean =>
  error !== undefined &&
  !(error instanceof SetupError && (familyOf(error.code) === 'network' || passing.has(error.code)));

const passing: ReadonlySet<ErrorCode> = new Set(['platform-error', 'platform-unhealthy', 'platform-busy']);

/** Explains a failure in words, which are loaded only when something fails. */
const explain = async (failure: SetupError): Promise<WordedError> => {
  const {inWords} = await import('../errors/describe-error.ts');
  return inWords(failure);
};
