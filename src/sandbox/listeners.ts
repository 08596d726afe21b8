import type {Hooks} from './fault-effects.ts';
import {type Handler, type LoopbackListener, listenOnLoopback} from './http-server.ts';
import {SandboxInputError} from './values.ts';

/** The port of this machine that a redirect URI leads to (RFC 8252 7.3). Throws SandboxInputError when it leads elsewhere. */
export const callbackPortOf = (redirectUri: string): number => {
  const {protocol, hostname, port} = new URL(redirectUri);
  if (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)) return Number(port || 80);
  throw new SandboxInputError(`${redirectUri} leads to no port of this machine that could be taken.`);
};

/** What a sandbox takes a port for: its services, and that of the browser's return, of which it only deprives others. */
type Place = 'gateway' | 'observability' | 'callback';

export type Listeners = {
  readonly ports: {readonly gateway: number; readonly observer: number};
  /** Answers every further request at a place with this handler, also when that place listens later only. */
  serve(place: Place, handler: Handler): void;
  /**
   * Brings what listens, and the certificate that it shows, to what the faults in force say.
   *
   * @throws SandboxInputError when the port to hold is not this machine's; Node's `EADDRINUSE` error when another
   *   program has a port that is to be taken. What listened before listens on then.
   */
  settle(): Promise<void>;
  /** Ends open connections and resolves when the ports are free again. */
  close(): Promise<void>;
};

type Options = {
  /** 0 takes a free one. */
  readonly ports: {readonly gateway: number; readonly observer: number};
  readonly redirectUri: string;
  readonly hooks: Hooks;
};

/**
 * Takes the ports of a sandbox. All stay the same until the end, also that of an observer which does not listen.
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
    // What may fail comes first.
    if (wanted.observability && !listening.has('observability')) await open('observability', observer);
    if (wanted.callback && !listening.has('callback')) await open('callback', callbackPortOf(redirectUri));
    if (!wanted.observability) await shut('observability');
    if (!wanted.callback) await shut('callback');
    const certificate = hooks.certificate();
    if (certificate) for (const listener of listening.values()) listener.present(certificate);
  };

  try {
    const gateway = await open('gateway', ports.gateway);
    // It listens for a moment even if it is not to, as that is how a free port is found.
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
