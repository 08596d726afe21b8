import type {SetupError} from '../errors/errors.ts';
import type {Clock} from '../ports/ports.ts';
import type {Channel} from './channel.ts';
import {discard} from './channel.ts';
import {type ExchangePorts, exchange, type Flight, type Output} from './exchange.ts';
import {listen} from './listen.ts';
import {malformedAnswer} from './messages/error-answer.ts';
import {cancelledId, type Message, parseMessage, versionOf} from './messages/message.ts';
import {createParamHeaders} from './messages/param-headers.ts';
import {createSession} from './session.ts';
import type {StandIn} from './stand-in.ts';

export type RelayPorts = {
  readonly channel: Channel;
  readonly output: Output;
  readonly clock: Clock;
  /** Whether to listen to what the server says of itself, besides its answers. */
  readonly listens: boolean;
  /** For what nobody asked and nobody else will hear of. */
  readonly log: (sentence: string) => void;
  /** Told why a message failed, before each request in it is answered with that. */
  readonly failed: (failure: SetupError, message: Message) => void;
  /** Called when `waiting` has become less. */
  readonly onIdle: () => void;
  /** Answers where no server does; absent where a failure is the answer. */
  readonly standIn?: StandIn;
};

export type Relay = {
  /** One line from the assistant. */
  take(line: Buffer): void;
  /** Bytes of messages that no server has answered to yet. */
  readonly waiting: number;
  /** What the assistant began its session by; undefined before, and in the stateless era. */
  readonly initialize: Buffer | undefined;
  /**
   * Makes the handshake that a stand-in has answered in the server's place; nothing where there is none to be made.
   *
   * @throws SetupError when the server still cannot be reached, or does not take it
   */
  reach(): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Ends everything that is under way, and the session. Takes a second at most. */
  close(): Promise<void>;
};

/** How long the end of a session may take, in milliseconds. */
const FAREWELL = 1_000;

/** Passes messages between one assistant and one server, many at a time. */
export const createRelay = (relayPorts: RelayPorts): Relay => {
  const {channel, output, clock, listens, log, failed, onIdle, standIn} = relayPorts;
  const stop = new AbortController();
  const revived = (wasAway: boolean) => {
    startListening();
    if (wasAway) standIn?.arrived(session);
  };
  const session = createSession(channel, revived, stop.signal);
  const paramHeaders = createParamHeaders();
  const ports: ExchangePorts = {channel, session, output, clock, failed, standIn, paramHeaders};
  const flights = new Set<Flight>();
  const byId = new Map<string, Flight>();
  let waiting = 0;
  let wakeIdle = () => {};
  /**
   * What comes after a handshake waits for it: it needs the session, and the server has to hear one before the other. It
   * is over when the server has answered it, whatever else comes in that stream.
   */
  let handshake: Promise<void> | undefined;
  let listening: AbortController | undefined;

  const startListening = () => {
    if (!listens) return;
    listening?.abort();
    listening = new AbortController();
    const {signal} = listening;
    listen({channel, session, output, clock}, signal).catch((error: unknown) => {
      if (!signal.aborted) log(`Messages that the server sends by itself are missed: ${String(error)}`);
    });
  };

  const land = (flight: Flight) => {
    flights.delete(flight);
    for (const {id} of flight.message.questions) if (byId.get(id) === flight) byId.delete(id);
    if (flights.size === 0) wakeIdle();
  };

  const start = (message: Message) => {
    const {promise: isThrough, resolve: letThrough} = Promise.withResolvers<void>();
    const controller = new AbortController();
    const {method, raw, questions} = message;
    let isSettled = false;
    const settle = () => {
      if (isSettled) return;
      isSettled = true;
      land(flight);
      if (method === 'notifications/initialized' && !controller.signal.aborted) {
        session.confirmed(raw);
        if (session.isAway) standIn?.begun();
        else startListening();
      }
      letThrough();
    };
    const flight: Flight = {
      message,
      controller,
      cancelled: false,
      sent: false,
      release: () => {},
      answered: settle,
    };
    flights.add(flight);
    for (const {id} of questions) byId.set(id, flight);
    waiting += raw.length;
    const send = async () => {
      try {
        if (controller.signal.aborted) return;
        if (method === 'initialize') {
          listening?.abort();
          session.begin(raw);
        }
        flight.sent = true;
        await exchange(flight, ports);
      } catch (error) {
        log(`A message was lost: ${String(error)}`);
      } finally {
        waiting -= raw.length;
        settle();
        onIdle();
      }
    };
    // What a server asks during the handshake is answered during it.
    const isAnswer = method === undefined && questions.length === 0;
    if (handshake && !isAnswer) handshake.then(send);
    else send();
    if (method !== 'initialize' && method !== 'notifications/initialized') return;
    handshake = isThrough;
    isThrough.then(() => {
      if (handshake === isThrough) handshake = undefined;
    });
  };

  /** In the stateless era closing the stream is what cancels; before it the server is told, and may answer still. */
  const cancel = (message: Message, id: string) => {
    const flight = byId.get(id);
    if (!flight) return start(message);
    flight.cancelled = true;
    land(flight);
    if (!flight.sent || versionOf(flight.message) !== undefined) return flight.controller.abort();
    flight.release();
    start(message);
  };

  return {
    take: line => {
      const message = parseMessage(line);
      if ('code' in message) return void output.write(malformedAnswer(message));
      if (standIn?.takes(message)) return;
      const id = cancelledId(message);
      if (id === undefined) start(message);
      else cancel(message, id);
    },
    get waiting() {
      return waiting;
    },
    get initialize() {
      return session.initialize;
    },
    reach: async () => {
      if (session.isAway) await session.revive(session.generation);
    },
    idle: () =>
      new Promise(resolve => {
        wakeIdle = resolve;
        if (flights.size === 0) resolve();
      }),
    close: async () => {
      listening?.abort();
      for (const {controller} of flights) controller.abort();
      if (session.isOpen) await endSession();
      stop.abort();
    },
  };

  async function endSession() {
    const deadline = AbortSignal.timeout(FAREWELL);
    const request = {method: 'DELETE', headers: session.headers(), repeatable: false, from: session.url} as const;
    try {
      await discard(await channel.call(request, deadline));
    } catch {
      // It ends there by itself, in its time.
    }
  }
};
