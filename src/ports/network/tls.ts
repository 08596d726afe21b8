import {X509Certificate} from 'node:crypto';
import {isIP} from 'node:net';
import type {Duplex} from 'node:stream';
import {
  type ConnectionOptions,
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type {NetworkSettings} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, signIn} from '../../errors/remedy.ts';
import {fileVersion} from '../files/file-version.ts';
import {limits, readRegularSync, whyUnread} from '../files/regular-file.ts';
import type {Env} from '../ports.ts';
import {checkOpen, connectionEnded, held, withTimeout} from './network-errors.ts';

/**
 * Starts TLS over a connection.
 *
 * @param limits `time` for the handshake, in milliseconds
 */
export type Secure = (
  connection: Duplex,
  host: string,
  limits: {readonly time: number; readonly signal: AbortSignal},
) => Promise<TLSSocket>;

type Known = {
  readonly state: string;
  readonly system: readonly string[] | undefined;
  readonly context: SecureContext;
  readonly sessions: Map<string, Buffer>;
};

/**
 * The context that was made for settings, and the TLS sessions of servers under them, which shorten the next handshake.
 */
const known = new WeakMap<NetworkSettings, Known>();

/**
 * Secures connections with TLS, by the settings and the environment. The certificates are read again when a file has
 * changed: a bridge runs for longer than some certificates are valid.
 *
 * @param system the system's store, if it was read again
 * @throws SetupError `input-invalid` if the settings name files that cannot be used
 */
export const secureBy = (settings: NetworkSettings, env: Env, system?: readonly string[]): Secure => {
  const state = stateOfFiles(settings, env);
  const before = known.get(settings);
  const found: Known =
    before?.state === state && before.system === system
      ? before
      : {state, system, context: secureContextOf(settings, env, system), sessions: new Map()};
  known.set(settings, found);
  // Throws OpenSSL's errors, as Node passes them on; `ConnectionTimeout`; the reason of the signal.
  return (connection, host, {time, signal}) => {
    let socket: TLSSocket | undefined;
    const begin = () =>
      new Promise<TLSSocket>((resolve, reject) => {
        socket = start(connection, host, found);
        socket
          .on('error', error => reject(refusesUs(error, socket) ? certificateWanted(error) : error))
          .once('secureConnect', () => socket && resolve(socket))
          .once('close', () => reject(connectionEnded()));
      });
    const drop = () => {
      found.sessions.delete(host);
      socket?.destroy();
      held(connection).destroy();
    };
    return withTimeout({time, part: 'tls', signal}, begin, drop);
  };
};

export const beginTls = (connection: Duplex, host: string, options: ConnectionOptions): TLSSocket => {
  checkOpen(connection);
  return connect({
    ...{...options, socket: connection},
    ...(isIP(host) === 0 ? {servername: host.replace(/\.$/, '')} : {host}),
  });
};

const start = (connection: Duplex, host: string, {context, sessions}: Known): TLSSocket => {
  const session = sessions.get(host);
  const socket = beginTls(connection, host, {
    ...{secureContext: context, rejectUnauthorized: true, ALPNProtocols: ['http/1.1']},
    ...(session ? {session} : {}),
  });
  // Node does not check the name in a resumed session (`onConnectSecure`), so a session is kept only after its server
  // was authenticated. Servers of TLS 1.2 send it before that.
  let ticket: Buffer | undefined;
  const keep = (fresh = ticket) => {
    ticket = fresh;
    if (socket.authorized && ticket) sessions.set(host, ticket);
  };
  // Node leaves the connection open after an alert; its reader would then see only the end.
  return socket
    .on('error', error => socket.destroy(error))
    .on('session', keep)
    .once('secureConnect', () => keep());
};

/**
 * Whether a server ended the handshake because it wants a client certificate. Up to TLS 1.2, a server that wants a
 * certificate shows its own, and then only reports that the handshake failed.
 */
const refusesUs = (error: Error & {code?: string}, socket: TLSSocket | undefined): boolean =>
  /ALERT_HANDSHAKE_FAILURE/.test(error.code ?? '') && Object.keys(socket?.getPeerCertificate() ?? {}).length > 0;

/** Returns an error whose code counts as a request for a certificate. */
const certificateWanted = (cause: Error): Error =>
  Object.assign(new Error(cause.message, {cause}), {code: 'ERR_SSL_ALERT_HANDSHAKE_FAILURE'});

/**
 * Returns a context with this machine's client certificate and the certificates that are trusted: Node's certificates
 * with NODE_EXTRA_CA_CERTS, the system's store, SSL_CERT_FILE, and those kept with the deployment. A call is made only
 * to a verified server, whatever NODE_TLS_REJECT_UNAUTHORIZED says.
 *
 * @throws SetupError `input-invalid` for a file of the deployment that cannot be used
 */
export const secureContextOf = (
  {authority, clientCertificate}: NetworkSettings,
  env: Env,
  system: readonly string[] = orNone(() => getCACertificates('system')),
): SecureContext => {
  const authorities = authority ? keptAuthorities(authority) : [];
  const trusted = {
    ca: [...unique([...machineAuthorities(env, system), ...authorities])],
    // A server that shows only its own certificate can be trusted by that alone.
    allowPartialTrustChain: authorities.length > 0,
  };
  if (!clientCertificate) return createSecureContext(trusted);
  const {certificate, key} = clientCertificate;
  const proof = {
    cert: read(certificate, 'client certificate', CLIENT_FLAGS),
    key: read(key, 'key of the client certificate', CLIENT_FLAGS),
  };
  if (/ENCRYPTED/.test(proof.key.toString('latin1'))) {
    throw new SetupError('input-invalid', `The key at ${key} is locked with a passphrase.`, {
      remedy: {
        do: `Write the key to a file without a passphrase: openssl pkey -in ${key} -out FILE.`,
        flag: 'Then pass that file with --client-key FILE.',
      },
      about: {path: key, flag: 'client-key'},
    });
  }
  try {
    return createSecureContext({...trusted, ...proof});
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const message =
      code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
        ? `The client certificate at ${certificate} does not belong to the key at ${key}.`
        : `The client certificate at ${certificate} cannot be used with the key at ${key} (${code}). Both must be in PEM format.`;
    throw new SetupError('input-invalid', message, {cause: error, about: {path: certificate, flag: 'client-cert'}});
  }
};

/** Returns the versions of the files of a secure context; the text changes when one has changed. */
const stateOfFiles = ({authority, clientCertificate}: NetworkSettings, env: Env): string => {
  const authorityFiles = authority && 'file' in authority ? [authority.file] : [];
  const files = [
    ...authorityFiles,
    ...Object.values(clientCertificate ?? {}),
    ...(env.SSL_CERT_FILE ? [env.SSL_CERT_FILE] : []),
  ];
  return files.map(fileVersion).join(' ');
};

const keptAuthorities = (authority: NonNullable<NetworkSettings['authority']>): readonly string[] => {
  const isFile = 'file' in authority;
  const bytes = isFile ? read(authority.file, 'certificate authority', '--ca-file FILE') : Buffer.from(authority.pem);
  const blocks = certificatesIn(bytes.toString('latin1'));
  // The certificates of a bundle are not parsed one by one: that takes as long as the connection.
  if (blocks.length > 1) return blocks;
  try {
    // Windows writes certificates in binary form, without the lines of PEM.
    return [new X509Certificate(blocks[0] ?? bytes).toString()];
  } catch (error) {
    const where = isFile ? `The file ${authority.file}` : 'The saved certificate authority';
    throw new SetupError('input-invalid', `${where} contains no readable certificate.`, {
      cause: error,
      remedy: {do: 'Use a PEM file that begins with BEGIN CERTIFICATE.', flag: 'Pass it with --ca-file FILE.'},
      about: {...(isFile ? {path: authority.file} : {}), flag: 'ca-file'},
    });
  }
};

/** Removes duplicates: most certificates occur two or three times, and each takes time to parse. */
const unique = (certificates: readonly string[]): Iterable<string> =>
  new Map(certificates.map(one => [one.replaceAll(/\s/g, ''), one])).values();

const machineAuthorities = (env: Env, system: readonly string[]): readonly string[] => {
  const file = env.SSL_CERT_FILE;
  // Other programs use the variable as well, so its file may be of no use here.
  const extra = file ? orNone(() => certificatesIn(readRegularSync(file, limits.given).bytes.toString('latin1'))) : [];
  return [...getCACertificates('default'), ...system, ...extra];
};

const orNone = (certificates: () => readonly string[]): readonly string[] => {
  try {
    return certificates();
  } catch {
    return [];
  }
};

const certificatesIn = (text: string): readonly string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];

const CLIENT_FLAGS = '--client-cert FILE --client-key FILE';

/** @param flags that pass such a file */
const read = (file: string, what: string, flags: string): Buffer => {
  try {
    return readRegularSync(file, limits.given).bytes;
  } catch (error) {
    throw new SetupError('input-invalid', `The ${what} at ${file} cannot be read: ${whyUnread(error)}.`, {
      cause: error,
      remedy: {do: 'Put the file there, or name another one.', flag: phrase`Name it with ${signIn(flags)}.`},
      about: {path: file, flag: flags.slice(2).split(' ', 1)[0] ?? ''},
    });
  }
};
