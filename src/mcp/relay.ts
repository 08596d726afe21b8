import {wordedError} from '../errors/errors.ts';
import {type ExchangePorts, exchange, type InFlightRequest, LINGER} from './exchange.ts';
import {createParamHeaders} from './headers.ts';
import {listen} from './listen.ts';
import {cancelledId, errorAnswer, failureAnswer, type Message, parseMessage, versionOf} from './message.ts';
import {createHeldAnswers, mebibytes} from './response-stream.ts';
import {createSession, newsOf} from './session.ts';

type RelayPorts = Omit<ExchangePorts, 'session' | 'held' | 'paramHeaders' | 'elsewhere'> & {
  /** True to listen for messages that the server sends by itself, besides its answers. */
  readonly listens: boolean;
  /** Called each time that a message has been handled, whatever the outcome. */
  readonly onIdle: () => void;
};

/**
 * The most that is held of messages that no server has answered yet, and the size of messages that are accepted beyond
 * that, in bytes.
 */
const MOST_WAITING = 128 * 1024 * 1024;
const SMALL = 64 * 1024;

/** Passes messages between one assistant and one server, many at a time. */
export const createRelay = ({listens, onIdle, ...relayPorts}: RelayPorts) => {
  const {channel, output, clock, log, failed, localServer, seal} = relayPorts;
  const stop = new AbortController();
  const revived = (wasAway: boolean, change: string | undefined) => {
    startListening();
    if (wasAway) return localServer?.arrived();
    if (change !== undefined) log(change);
    for (const news of newsOf(session, change)) output.write(news);
  };
  const session = createSession(channel, {revived, log, clock}, stop.signal);
  const elsewhere = {isOpen: false, waiting: new Map()};
  const own = {session, held: createHeldAnswers(), paramHeaders: createParamHeaders(), elsewhere};
  const ports: ExchangePorts = {...relayPorts, ...own};
  const inFlight = new Set<InFlightRequest>();
  /** The controllers of all pending messages, including cancelled ones, whose end is not awaited. */
  const underWay = new Set<AbortController>();
  const byId = new Map<string, InFlightRequest>();
  let waiting = 0;
  let wakeIdle = () => {};
  /** Messages after a handshake need the session, so they wait until the server has answered it. */
  let handshake: Promise<void> | undefined;
  let listening: AbortController | undefined;

  const startListening = () => {
    if (!listens) return;
    listening?.abort();
    listening = new AbortController();
    const {signal} = listening;
    listen(ports, signal).catch((error: unknown) => {
      if (!signal.aborted) log(`The bridge missed messages that the server sends on its own: ${String(error)}`);
    });
  };

  const finish = (pending: InFlightRequest) => {
    inFlight.delete(pending);
    for (const {id} of pending.questions) if (byId.get(id) === pending) byId.delete(id);
    if (inFlight.size === 0) wakeIdle();
  };

  /**
   * Sends a message. Only its `InFlightRequest` may refer to the message, so that the memory, perhaps megabytes, is
   * free as soon as the request releases it.
   */
  const start = (message: Message) => {
    const {promise: isThrough, resolve: letThrough} = Promise.withResolvers<void>();
    const controller = new AbortController();
    const {method, questions} = message;
    const initialized = method === 'notifications/initialized' ? message.raw : undefined;
    let isSettled = false;
    const settle = () => {
      if (isSettled) return;
      isSettled = true;
      finish(pending);
      if (initialized && !controller.signal.aborted) {
        session.initialized = initialized;
        if (session.isAway) localServer?.begun();
        else startListening();
      }
      letThrough();
    };
    const pending: InFlightRequest = {
      ...{message, method, questions, controller},
      isModern: versionOf(message) !== undefined,
      cancelled: false,
      sent: false,
      letGo: () => {
        waiting -= pending.message?.raw.length ?? 0;
        pending.message = undefined;
      },
      answered: settle,
    };
    inFlight.add(pending);
    underWay.add(controller);
    for (const {id} of questions) byId.set(id, pending);
    waiting += message.raw.length;
    const send = async () => {
      try {
        if (controller.signal.aborted || !pending.message) return;
        if (method === 'initialize') {
          listening?.abort();
          session.begin(pending.message.raw);
        }
        pending.sent = true;
        await exchange(pending, ports);
      } catch (error) {
        log(`A message was lost: ${String(error)}`);
      } finally {
        pending.letGo();
        underWay.delete(controller);
        settle();
        onIdle();
      }
    };
    // Answers do not wait: the server may ask a question during the handshake.
    const isAnswer = method === undefined && questions.length === 0;
    if (handshake && !isAnswer) handshake.then(send);
    else send();
    if (method !== 'initialize' && method !== 'notifications/initialized') return;
    handshake = isThrough;
    isThrough.then(() => {
      if (handshake === isThrough) handshake = undefined;
    });
  };

  /**
   * Cancels a request. In the stateless era closing the stream does so. In earlier eras the server gets a notification,
   * and its answer is not awaited.
   */
  const cancel = (message: Message, id: string) => {
    const pending = byId.get(id);
    if (!pending) return start(message);
    pending.cancelled = true;
    pending.letGo();
    finish(pending);
    if (!pending.sent || pending.isModern) return pending.controller.abort();
    setTimeout(() => pending.controller.abort(), LINGER).unref();
    start(message);
  };

  /** Refuses a message that exceeds the limit. Reading must not stop instead, or no cancellation would be read. */
  const refuse = (message: Message) => {
    const problem = `${mebibytes(waiting)} of earlier messages are waiting for the server, so this one was not sent.`;
    const failure = wordedError('platform-busy', problem, {
      remedy: 'Wait for the pending answers, or cancel those calls. Nothing was carried out.',
    });
    failed(failure, message);
    for (const {id} of message.questions) output.write(failureAnswer(id, failure, seal));
  };

  return {
    /** Takes one line from the assistant. */
    take: (line: Buffer): void => {
      const message = parseMessage(line);
      const {ids = [], ...error} = ('code' in message ? message : message.malformed) ?? {};
      for (const id of ids) output.write(errorAnswer(id, error));
      if ('code' in message) return;
      if (localServer?.takes(message)) return;
      const id = cancelledId(message);
      if (message.raw.length > SMALL && waiting + message.raw.length > MOST_WAITING) refuse(message);
      else if (id === undefined) start(message);
      else cancel(message, id);
    },
    /** Bytes of messages that no server has answered yet. */
    get waiting() {
      return waiting;
    },
    /** The assistant's `initialize` message; undefined before it, and in the stateless era. */
    get initialize() {
      return session.initialize;
    },
    /** The assistant's `notifications/initialized` message. */
    get initialized() {
      return session.initialized;
    },
    /**
     * Makes the handshake that the local server has answered instead of the server, if any.
     *
     * @throws SetupError if the server still cannot be reached, or refuses it
     */
    reach: async (): Promise<void> => {
      if (session.isAway) await session.revive(session.generation);
    },
    /**
     * Forgets the session that the assistant has begun, and the messages that wait for it.
     *
     * @returns the messages that were not yet sent to a server
     */
    leaveSession: (): readonly Buffer[] => {
      const unsent = [...inFlight].filter(({sent}) => !sent);
      const lines = unsent.flatMap(({message}) => message?.raw ?? []);
      for (const pending of unsent) {
        pending.cancelled = true;
        pending.letGo();
        finish(pending);
        pending.controller.abort();
      }
      listening?.abort();
      session.leave();
      return lines;
    },
    /** Shows an unrequested message to the person behind the assistant. */
    warn: (sentence: string): void => {
      log(sentence);
      const warning = session.warning(sentence);
      if (warning) output.write(warning);
    },
    /** Resolves when no message is pending. */
    idle: () =>
      new Promise<void>(resolve => {
        wakeIdle = resolve;
        if (inFlight.size === 0) resolve();
      }),
    /** Ends all pending messages and the session. Takes a second at most. */
    close: async (): Promise<void> => {
      listening?.abort();
      for (const controller of underWay) controller.abort();
      await session.end();
      stop.abort();
    },
  };
};
