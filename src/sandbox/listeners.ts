import type {Hooks} from './fault-effects.ts';
import {type Handler, type LoopbackListener, listenOnLoopback} from './http-server.ts';
import {SandboxInputError} from './values.ts';

/**
 * Returns the port of this machine that a redirect URI leads to (RFC 8252 7.3). Throws SandboxInputError if it leads
 * elsewhere.
 */
export const callbackPortOf = (redirectUri: string): number => {
  const {protocol, hostname, port} = new URL(redirectUri);
  if (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)) return Number(port || 80);
  throw new SandboxInputError(`The sandbox cannot hold the port of ${redirectUri}: it is not a port of this machine.`);
};

/** The uses of a port: the services, and the callback port, which the sandbox only blocks for other programs. */
type Place = 'gateway' | 'observability' | 'callback';

export type Listeners = {
  readonly ports: {readonly gateway: number; readonly observer: number};
  /** Answers every further request at a place with this handler, even if that place starts to listen only later. */
  serve(place: Place, handler: Handler): void;
  /**
   * Adjusts what listens, and which certificate it presents, to the faults in force.
   *
   * @throws SandboxInputError if the callback port is not on this machine; Node's `EADDRINUSE` error if another program
   *   has a port that is needed. Everything that listened before still does then.
   */
  settle(): Promise<void>;
  /** Closes open connections and resolves when the ports are free again. */
  close(): Promise<void>;
};

type Options = {
  /** 0 takes a free port. */
  readonly ports: {readonly gateway: number; readonly observer: number};
  readonly redirectUri: string;
  readonly hooks: Hooks;
};

/**
 * Takes the ports of a sandbox. They stay the same until the end, even that of an observer that does not listen.
 *
 * @throws as `settle`. Nothing stays open then.
 */
export const openListeners = async ({ports, redirectUri, hooks}: Options): Promise<Listeners> => {
  const listening = new Map<Place, LoopbackListener>();
  const handlers = new Map<Place, Handler>();

  const open = async (place: Place, port: number) => {
    const listener = await listenOnLoopback(port, place === 'callback' ? undefined : hooks.certificate());
    const handler = handlers.get(place);
    if (handler) listener.serve(handler);
    listening.set(place, listener);
    return listener.port;
  };
  const shut = async (place: Place) => {
    const listener = listening.get(place);
    listening.delete(place);
    await listener?.close();
  };
  const close = async () => {
    await Promise.all([...listening.keys()].map(shut));
  };

  const settle = async (observer: number) => {
    const wanted = {observability: hooks.observerListens(), callback: hooks.holdsCallbackPort()};
    // The steps that may fail come first.
    if (wanted.observability && !listening.has('observability')) await open('observability', observer);
    if (wanted.callback && !listening.has('callback')) await open('callback', callbackPortOf(redirectUri));
    if (!wanted.observability) await shut('observability');
    if (!wanted.callback) await shut('callback');
    const certificate = hooks.certificate();
    if (certificate) for (const listener of listening.values()) listener.present(certificate);
  };

  try {
    const gateway = await open('gateway', ports.gateway);
    // The observer listens for a moment even if it should not, since that is how a free port is found.
    const observer = await open('observability', ports.observer);
    await settle(observer);
    return {
      ports: {gateway, observer},
      serve(place, handler) {
        handlers.set(place, handler);
        listening.get(place)?.serve(handler);
      },
      settle: () => settle(observer),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
