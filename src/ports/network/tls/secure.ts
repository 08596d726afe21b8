import {isIP} from 'node:net';
import type {Duplex} from 'node:stream';
import {connect, type SecureContext, type TLSSocket} from 'node:tls';
import type {NetworkSettings} from '../../../domain/network-settings.ts';
import type {Env} from '../../ports.ts';
import {checkOpen, connectionEnded, held} from '../connections/error-listener.ts';
import {within} from '../connections/within.ts';
import {ClientCertificateWanted} from './tls-errors.ts';
import {secureContextOf, stateOfFiles} from './trust.ts';

/** @param time for both sides to prove themselves, in milliseconds */
export type Secure = (
  connection: Duplex,
  host: string,
  limits: {readonly time: number; readonly signal: AbortSignal},
) => Promise<TLSSocket>;

type Known = {readonly state: string; readonly context: SecureContext; readonly sessions: Map<string, Buffer>};

/** What was read for settings, and the sessions that servers gave under them: the next handshake is shorter. */
const known = new WeakMap<NetworkSettings, Known>();

/**
 * TLS over connections, as settings and the environment have it. It is ready when the server has proven that it is the
 * host. Which certificates count is read once, and again when a file has changed: a bridge runs for longer than some
 * certificates last.
 *
 * @param system the system's store, where it was read anew
 * @throws SetupError `input-invalid` where the settings name files that are of no use
 */
export const secureBy = (settings: NetworkSettings, env: Env, system?: readonly string[]): Secure => {
  const state = stateOfFiles(settings, env);
  const before = known.get(settings);
  const found: Known =
    before?.state === state ? before : {state, context: secureContextOf(settings, env, system), sessions: new Map()};
  known.set(settings, found);
  // What this throws: OpenSSL's errors, as Node gives them; `ConnectionTimeout`; what the signal aborts with.
  return (connection, host, {time, signal}) => {
    let socket: TLSSocket | undefined;
    const begin = () =>
      new Promise<TLSSocket>((resolve, reject) => {
        checkOpen(connection);
        socket = start(connection, host, found);
        socket
          .on('error', error => reject(refusesUs(error, socket) ? new ClientCertificateWanted(error) : error))
          .once('secureConnect', () => socket && resolve(socket))
          .once('close', () => reject(connectionEnded()));
      });
    const drop = () => {
      found.sessions.delete(host);
      socket?.destroy();
      held(connection).destroy();
    };
    return within({time, part: 'tls', signal}, begin, drop);
  };
};

const start = (connection: Duplex, host: string, {context, sessions}: Known): TLSSocket => {
  const session = sessions.get(host);
  const socket = connect({
    ...{secureContext: context, rejectUnauthorized: true, socket: connection, ALPNProtocols: ['http/1.1']},
    ...(isIP(host) === 0 ? {servername: host.replace(/\.$/, '')} : {host}),
    ...(session ? {session} : {}),
  });
  // A session that is taken up again is not asked for its name (Node's `onConnectSecure`), so that one is kept only when
  // its server has proven itself. Servers of TLS 1.2 give it before that.
  let given: Buffer | undefined;
  let isProven = false;
  const keep = () => {
    if (isProven && given) sessions.set(host, given);
  };
  return (
    socket
      // Node tells of an alert and leaves the connection open; what reads it would then see no more than its end.
      .on('error', error => socket.destroy(error))
      .on('session', fresh => {
        given = fresh;
        keep();
      })
      .once('secureConnect', () => {
        isProven = true;
        keep();
      })
  );
};

/**
 * Until TLS 1.2 a server that wants a certificate says no more than that the handshake failed. Where it has shown its own
 * by then, everything else was agreed on.
 */
const refusesUs = (error: Error & {code?: string}, socket: TLSSocket | undefined): boolean =>
  /ALERT_HANDSHAKE_FAILURE/.test(error.code ?? '') && Object.keys(socket?.getPeerCertificate() ?? {}).length > 0;
