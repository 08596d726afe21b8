import type {Clock} from '../ports/ports.ts';
import type {Channel} from './channel.ts';
import {discard} from './channel.ts';
import {malformedAnswer} from './error-answer.ts';
import {type ExchangePorts, exchange, type Flight} from './exchange.ts';
import {listen} from './listen.ts';
import {cancelledId, type Message, parseMessage, versionOf} from './message.ts';
import type {Output} from './output.ts';
import {createParamHeaders} from './param-headers.ts';
import {createSession} from './session.ts';

export type RelayPorts = {
  readonly channel: Channel;
  readonly output: Output;
  readonly clock: Clock;
  readonly log: (sentence: string) => void;
  /** Called when `waiting` has become less. */
  readonly eased: () => void;
};

export type Relay = {
  /** One line from the assistant. */
  take(line: Buffer): void;
  /** Bytes of messages that no server has answered to yet. */
  readonly waiting: number;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Ends everything that is under way, and the session. Takes a second at most. */
  close(): Promise<void>;
};

/** How long the end of a session may take, in milliseconds. */
const FAREWELL = 1_000;

/** Passes messages between one assistant and one server, many at a time. */
export const createRelay = ({channel, output, clock, log, eased}: RelayPorts): Relay => {
  const stop = new AbortController();
  const session = createSession(channel, () => startListening(), stop.signal);
  const ports: ExchangePorts = {channel, session, output, clock, log, paramHeaders: createParamHeaders()};
  const flights = new Set<Flight>();
  const byId = new Map<string, Flight>();
  let waiting = 0;
  let wakeIdle = () => {};
  /** What comes after a handshake waits for it: it needs the session, and the server has to hear one before the other. */
  let handshake: Promise<void> | undefined;
  let listening: AbortController | undefined;

  const startListening = () => {
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

  const send = async (flight: Flight) => {
    const {message} = flight;
    waiting += message.raw.length;
    try {
      await exchange(flight, ports);
      if (message.method === 'notifications/initialized' && !flight.controller.signal.aborted) {
        session.confirmed(message.raw);
        startListening();
      }
    } catch (error) {
      log(`A message was lost: ${String(error)}`);
    } finally {
      waiting -= message.raw.length;
      land(flight);
      eased();
    }
  };

  const start = (message: Message) => {
    const flight: Flight = {
      message,
      controller: new AbortController(),
      cancelled: false,
      sent: false,
      release: () => {},
      answered: () => land(flight),
    };
    flights.add(flight);
    for (const {id} of message.questions) byId.set(id, flight);
    const isHandshake = message.method === 'initialize' || message.method === 'notifications/initialized';
    const begin = () => {
      if (flight.controller.signal.aborted) return land(flight);
      if (message.method === 'initialize') {
        listening?.abort();
        session.begin(message.raw);
      }
      flight.sent = true;
      return send(flight);
    };
    // What a server asks during the handshake is answered during it.
    const isAnswer = message.method === undefined && message.questions.length === 0;
    const sent = handshake && !isAnswer ? handshake.then(begin) : begin();
    if (!isHandshake || !sent) return;
    const over = sent.finally(() => {
      if (handshake === over) handshake = undefined;
    });
    handshake = over;
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
      const id = cancelledId(message);
      if (id === undefined) start(message);
      else cancel(message, id);
    },
    get waiting() {
      return waiting;
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
