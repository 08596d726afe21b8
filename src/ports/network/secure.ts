import {isIP} from 'node:net';
import type {Duplex} from 'node:stream';
import {connect, type TLSSocket} from 'node:tls';
import type {Env} from '../ports.ts';
import type {NetworkSettings} from './network-settings.ts';
import {ConnectionTimeout} from './patience.ts';
import {securityOf} from './trust.ts';

type Options = {
  readonly settings: NetworkSettings;
  /** The system's store, where it was read anew. */
  readonly system: readonly string[] | undefined;
  readonly env: Env;
  /** In milliseconds. */
  readonly time: number;
  readonly signal: AbortSignal;
};

type Known = {readonly security: ReturnType<typeof securityOf>; readonly sessions: Map<string, Buffer>};

/** What was read for settings, and the sessions that servers gave under them: the next handshake is shorter. */
const known = new WeakMap<NetworkSettings, Known>();

const knownFor = (settings: NetworkSettings, env: Env, system: Options['system']): Known => {
  const found = known.get(settings) ?? {security: securityOf(settings, env, system), sessions: new Map()};
  known.set(settings, found);
  return found;
};

/**
 * TLS over a connection, ready when the server has proven that it is `host`.
 *
 * @throws OpenSSL's errors, as Node gives them; `ConnectionTimeout`; what `signal` aborts with
 */
export const secure = (
  connection: Duplex,
  host: string,
  {settings, system, env, time, signal}: Options,
): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const {security, sessions} = knownFor(settings, env, system);
    const session = sessions.get(host);
    const socket = connect({
      ...{...security, socket: connection, ALPNProtocols: ['http/1.1']},
      ...(isIP(host) === 0 ? {servername: host} : {host}),
      ...(session ? {session} : {}),
    });
    const settle = (act: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.off('error', fail).off('secureConnect', ready).off('close', closed);
      act();
    };
    const fail = (error: unknown) =>
      settle(() => {
        sessions.delete(host);
        socket.on('error', () => {}).destroy();
        reject(error);
      });
    const abort = () => fail(signal.reason);
    const closed = () => fail(Object.assign(new Error('It ended before TLS did begin.'), {code: 'ECONNRESET'}));
    const ready = () => settle(() => resolve(socket));
    const timer = setTimeout(() => fail(new ConnectionTimeout('tls')), time);
    signal.addEventListener('abort', abort, {once: true});
    socket
      .on('session', given => sessions.set(host, given))
      .on('error', fail)
      .once('secureConnect', ready)
      .once('close', closed);
  });
