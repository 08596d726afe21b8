import {wordedError} from '../errors/errors.ts';
import {type ExchangePorts, exchange, type Flight, LINGER} from './exchange.ts';
import {createParamHeaders} from './headers.ts';
import {listen} from './listen.ts';
import {cancelledId, errorAnswer, failureAnswer, type Message, parseMessage, versionOf} from './message.ts';
import {createHeldAnswers, mebibytes} from './response-stream.ts';
import {createSession, newsOf} from './session.ts';

type RelayPorts = Omit<ExchangePorts, 'session' | 'held' | 'paramHeaders' | 'elsewhere'> & {
  /** True to listen for messages that the server sends by itself, besides its answers. */
  readonly listens: boolean;
  /** Called when `waiting` has decreased. */
  readonly onIdle: () => void;
};

/**
 * The most that is held of messages that no server has answered yet, and the size of messages that are accepted beyond
 * that, in bytes.
 */
const MOST_WAITING = 128 * 1024 * 1024;
const SMALL = 64 * 1024;

/** Passes messages between one assistant and one server, many at a time. */
export const createRelay = ({listens, onIdle, ...given}: RelayPorts) => {
  const {channel, output, clock, log, failed, standIn, seal} = given;
  const stop = new AbortController();
  const revived = (wasAway: boolean, change: string | undefined) => {
    startListening();
    if (wasAway) return standIn?.arrived();
    if (change !== undefined) log(change);
    for (const news of newsOf(session, change)) output.write(news);
  };
  const session = createSession(channel, {revived, log, clock}, stop.signal);
  const elsewhere = {isOpen: false, waiting: new Map()};
  const own = {session, held: createHeldAnswers(), paramHeaders: createParamHeaders(), elsewhere};
  const ports: ExchangePorts = {...given, ...own};
  const flights = new Set<Flight>();
  /** Includes those of cancelled messages, whose end is not awaited. */
  const underWay = new Set<AbortController>();
  const byId = new Map<string, Flight>();
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

  const land = (flight: Flight) => {
    flights.delete(flight);
    for (const {id} of flight.questions) if (byId.get(id) === flight) byId.delete(id);
    if (flights.size === 0) wakeIdle();
  };

  /**
   * Sends a message. Only its `Flight` may refer to the message, so that the memory, perhaps megabytes, is free as soon
   * as the flight releases it.
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
      land(flight);
      if (initialized && !controller.signal.aborted) {
        session.initialized = initialized;
        if (session.isAway) standIn?.begun();
        else startListening();
      }
      letThrough();
    };
    const flight: Flight = {
      ...{message, method, questions, controller},
      isModern: versionOf(message) !== undefined,
      cancelled: false,
      sent: false,
      letGo: () => {
        waiting -= flight.message?.raw.length ?? 0;
        flight.message = undefined;
      },
      answered: settle,
    };
    flights.add(flight);
    underWay.add(controller);
    for (const {id} of questions) byId.set(id, flight);
    waiting += message.raw.length;
    const send = async () => {
      try {
        if (controller.signal.aborted || !flight.message) return;
        if (method === 'initialize') {
          listening?.abort();
          session.begin(flight.message.raw);
        }
        flight.sent = true;
        await exchange(flight, ports);
      } catch (error) {
        log(`A message was lost: ${String(error)}`);
      } finally {
        flight.letGo();
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
    const flight = byId.get(id);
    if (!flight) return start(message);
    flight.cancelled = true;
    flight.letGo();
    land(flight);
    if (!flight.sent || flight.isModern) return flight.controller.abort();
    setTimeout(() => flight.controller.abort(), LINGER).unref();
    start(message);
  };

  /** Refuses a message that exceeds the limit. Reading must not stop instead, or no cancellation would be read. */
  const refuse = (message: Message) => {
    const told = `${mebibytes(waiting)} of earlier messages are waiting for the server, so this one was not sent.`;
    const failure = wordedError('platform-busy', told, {
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
      if (standIn?.takes(message)) return;
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
     * Makes the handshake that a stand-in has answered instead of the server, if any.
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
      const unsent = [...flights].filter(({sent}) => !sent);
      const lines = unsent.flatMap(({message}) => message?.raw ?? []);
      for (const flight of unsent) {
        flight.cancelled = true;
        flight.letGo();
        land(flight);
        flight.controller.abort();
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
        if (flights.size === 0) resolve();
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
