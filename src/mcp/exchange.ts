import {familyOf, SetupError, toSetupError} from '../errors/errors.ts';
import type {Clock} from '../ports/ports.ts';
import {advance, type Position, readAnswer} from './answer.ts';
import {type ChannelReply, discard} from './channel.ts';
import {errorAnswer, failureAnswer, unknownMethodAnswer} from './messages/error-answer.ts';
import {type Message, type Question, versionOf} from './messages/message.ts';
import {inspect} from './messages/server-message.ts';
import {type Posted, type PostPorts, post} from './post.ts';
import {readRefusal, refusalError, rpcErrorIn} from './refusal.ts';
import {resumeDelay} from './resume-delay.ts';
import {HANDSHAKE_TIMEOUT} from './session.ts';
import type {StandIn} from './stand-in.ts';

/** Where messages from the server go. */
export type Output = {
  /** Resolves when more may come; at once unless it is read slowly. */
  write(message: Buffer): Promise<void> | undefined;
};

export type ExchangePorts = PostPorts & {
  readonly output: Output;
  readonly clock: Clock;
  /** Told why a message failed, before each request in it is answered with that. */
  readonly failed: (failure: SetupError, message: Message) => void;
  /** Answers where no server does; absent where a failure is the answer. */
  readonly standIn?: StandIn | undefined;
};

/** One message under way. */
export type Flight = {
  readonly message: Message;
  readonly controller: AbortController;
  /** Whether the assistant has given it up: no answer is due any more, and none is put together. */
  cancelled: boolean;
  /** Whether the server may have heard of it. */
  sent: boolean;
  /** Waits no longer than a moment for the end of its stream. */
  release: () => void;
  /** Called when the server has taken it, and no request in it is open; its stream may go on for a while. */
  readonly answered: () => void;
};

/** How often a stream that broke before its answer is taken up again without hearing anything new. */
const RESUMPTIONS = 5;

/** After the answer a stream has nothing more to say; a server that leaves it open is not waited for, in milliseconds. */
const LINGER = 5_000;

/**
 * Sends one message and passes on what comes of it. Every request in it is answered exactly once: by the server, or with
 * the reason why not.
 */
export const exchange = async (flight: Flight, ports: ExchangePorts): Promise<void> => {
  const {message, controller} = flight;
  const {output, session, paramHeaders, failed, standIn, clock} = ports;
  const {signal} = controller;
  const open = new Map(message.questions.map(question => [question.id, question]));

  const close = (id: string) => {
    if (open.delete(id) && open.size === 0) flight.answered();
  };
  const answerAll = async (build: (question: Question) => Buffer | Promise<Buffer>) => {
    for (const question of [...open.values()]) {
      const answer = await build(question);
      close(question.id);
      await output.write(answer);
    }
  };

  /** Throws where an answer that has to be understood here is no JSON. */
  const learn = ({method}: Question, answer: Buffer) => {
    if (method === 'initialize') session.negotiated(answer);
    if (method === 'tools/list') paramHeaders.learn(answer);
  };
  const deliver = async (data: Buffer): Promise<boolean> => {
    const known = inspect(data);
    if (!known) return false;
    const own = known.answers.includes('null') ? rpcErrorIn({text: data.toString('utf8')}) : undefined;
    if (own) {
      await answerAll(({id}) => errorAnswer(id, own));
      return true;
    }
    const answered = known.answers.flatMap(id => open.get(id) ?? []);
    // An answer that nobody waits for, or no more.
    if (known.answers.length > 0 && answered.length === 0) return true;
    try {
      for (const question of answered) learn(question, data);
    } catch {
      return false;
    }
    for (const {id} of answered) close(id);
    await output.write(data);
    if (answered.some(({method}) => method === 'tools/list')) standIn?.listed();
    return true;
  };

  const isAway = session.isAway && versionOf(message) === undefined;
  // A server that could not be reached has no session yet, in which alone it could be told something.
  if (isAway && message.questions.length === 0) return flight.answered();
  let isLate = false;
  try {
    // It hears the handshake before anything else.
    if (isAway) await inTime(session.revive(session.generation), standIn?.patience.request);
    await inTime(work(), message.method === 'initialize' ? standIn?.patience.handshake : undefined);
  } catch (error) {
    if (flight.cancelled || (signal.aborted && !isLate)) return;
    const failure = standIn ? await standIn.explain(toSetupError(error)) : toSetupError(error);
    if (flight.cancelled) return;
    failed(failure, message);
    await answerAll(
      async question =>
        (await standIn?.answer(question, message, failure, session)) ?? failureAnswer(question.id, failure),
    );
  }

  async function work() {
    const posted = await post(message, ports, signal);
    if (posted.outcome === 'refused') return refuse(posted);
    standIn?.taken(message);
    return takeReply(posted.reply);
  }

  /** A client gives up a program that does not answer it, so where somebody else can, a server is not waited for. */
  async function inTime(work: Promise<void>, patience: number | undefined): Promise<void> {
    if (patience === undefined) return work;
    const over = new AbortController();
    const runOut = async () => {
      await clock.sleep(patience, over.signal);
      isLate = true;
      controller.abort();
      throw new SetupError('network-timeout', `The platform did not answer within ${patience / 1000} s.`);
    };
    try {
      await Promise.race([work, runOut()]);
    } finally {
      over.abort();
    }
  }

  async function takeReply(reply: ChannelReply) {
    if (signal.aborted) return discard(reply);
    if (message.questions.length === 0) {
      flight.answered();
      return discard(reply);
    }
    if (message.method === 'initialize') {
      session.opened(reply);
      reply.endWithin(HANDSHAKE_TIMEOUT);
    }
    return follow(reply, open, deliver, flight, ports);
  }

  async function refuse({refusal, url}: Extract<Posted, {outcome: 'refused'}>) {
    const own = rpcErrorIn(refusal);
    if (own && message.questions.length > 0) return answerAll(({id}) => errorAnswer(id, own));
    const [question] = message.questions;
    // Servers from before it answer it in ways of their own, and each of them means this.
    const isUnknown = question?.method === 'server/discover' && refusal.status >= 400 && refusal.status < 500;
    if (isUnknown && refusal.status !== 403) return answerAll(({id, method}) => unknownMethodAnswer(id, method));
    throw refusalError(refusal, url);
  }
};

/** Reads a reply to the last answer, taking it up where it broke off if the server says how (MCP, resumability). */
const follow = async (
  first: ChannelReply,
  open: ReadonlyMap<string, Question>,
  deliver: (data: Buffer) => Promise<boolean>,
  flight: Flight,
  {channel, session, clock}: ExchangePorts,
): Promise<void> => {
  const {signal} = flight.controller;
  let position: Position = {lastEventId: ''};
  let tries = 0;
  let reply: ChannelReply | undefined = first;
  let broke: unknown;
  for (;;) {
    try {
      reply ??= await resume();
      const reading = reply;
      flight.release = () => reading.endWithin(LINGER);
      await readAnswer(
        reading,
        async data => {
          const isMessage = await deliver(data);
          if (open.size === 0) reading.endWithin(LINGER);
          return isMessage;
        },
        at => {
          position = advance(position, at);
          tries = 0;
        },
      );
    } catch (error) {
      broke = error;
    }
    reply = undefined;
    if (open.size === 0 || flight.cancelled || signal.aborted) return;
    if (position.lastEventId === '' || tries >= RESUMPTIONS || isFinal(broke)) {
      throw whyNoAnswer(broke, first.url);
    }
    await clock.sleep(resumeDelay(tries, position.retry), signal);
    tries += 1;
  }

  async function resume(): Promise<ChannelReply> {
    const headers = {accept: 'text/event-stream', ...session.headers(), 'last-event-id': position.lastEventId};
    const resumed = await channel.call({method: 'GET', headers, repeatable: true, from: first.url}, signal);
    const refusal = await readRefusal(resumed);
    if (refusal) throw refusalError(refusal, resumed.url);
    return resumed;
  }
};

const whyNoAnswer = (broke: unknown, {href}: URL): unknown => {
  // A handshake whose time was over, cut short by ourselves.
  const isLate = broke instanceof SetupError && broke.code === 'cancelled';
  if (isLate) return new SetupError('network-timeout', `${href} did not answer in time.`, {about: {url: href}});
  return (
    broke ??
    new SetupError('platform-mcp-failed', `${href} closed its response before it sent an answer.`, {about: {url: href}})
  );
};

/** Only a network that fails may be better in a moment. */
const isFinal = (error: unknown): boolean =>
  error !== undefined && !(error instanceof SetupError && familyOf(error.code) === 'network');
