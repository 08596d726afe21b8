import type {Duplex} from 'node:stream';
import type {NetworkSettings} from '../../domain/context.ts';
import {type About, cancelled, type ErrorCode, findSetupError, SetupError, toSetupError} from '../../errors/errors.ts';
import {limitIn} from '../../errors/system-limit.ts';
import type {Timeouts} from '../ports.ts';
import {showUrl} from './curl.ts';

type Failure = {
  /** Matches the code of undici, Node, OpenSSL or the resolver. */
  readonly is: RegExp;
  readonly code: ErrorCode;
  /** The message, with `origin`, `host`, `scheme` and the matched `code` in braces. */
  readonly says: string;
  /** The remedy, if the row of `code` in the table of errors is not specific enough. */
  readonly remedy?: string;
  /** The same sentence for a proxy that cannot be reached, to follow the proxy's name. */
  readonly ofProxy?: string;
};

/** The reasons why a call has no answer, except those that `tlsError` converts. The first row that fits decides. */
const failures: readonly Failure[] = [
  {
    is: /^TIMEOUT_NAME$/,
    code: 'network-name-not-found',
    says: '{host} could not be resolved in time ({origin}).',
    remedy: 'This machine’s DNS servers do not answer. Check your DNS and your VPN.',
    ofProxy: 'could not be resolved in time',
  },
  {is: /^TIMEOUT_TLS$/, code: 'network-timeout', says: '{origin} did not complete the TLS handshake in time.'},
  {
    is: /^TIMEOUT_CONNECT$/,
    code: 'network-timeout',
    says: 'Could not connect to {origin} in time.',
    ofProxy: 'did not answer in time',
  },
  {
    is: /^(ENOTFOUND|EAI_(AGAIN|NODATA|NONAME|FAIL))$/,
    code: 'network-name-not-found',
    says: '{host} could not be resolved ({origin}).',
    ofProxy: 'could not be resolved',
  },
  {
    is: /^ECONNREFUSED$/,
    code: 'network-refused',
    says: 'Nothing listens at {origin}.',
    ofProxy: 'is not running: nothing is listening there',
  },
  {
    is: /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)$/,
    code: 'network-failed',
    says: '{origin} can’t be reached from here.',
    remedy: 'Check your connection and VPN, then try again.',
  },
  {
    is: /^(EACCES|EPERM)$/,
    code: 'network-failed',
    says: 'This machine does not allow connections to {origin}.',
    remedy: 'Check its firewall, and the sandbox if this runs in one.',
  },
  {
    is: /^(TimeoutError|ETIMEDOUT)$/,
    code: 'network-timeout',
    says: '{origin} did not answer in time.',
    ofProxy: 'did not answer in time',
  },
  {
    is: /^(ERR_SSL_(?!.*ALERT)|EPROTO$|HPE_INVALID_CONSTANT$)/,
    code: 'network-wrong-scheme',
    says: '{origin} does not speak {scheme}.',
  },
  {
    is: /^(ECONNRESET|EPIPE|ECONNABORTED|HPE_INVALID_EOF_STATE)$/,
    code: 'network-reset',
    says: '{origin} closed the connection before its answer was complete.',
  },
  {is: /^HPE_/, code: 'platform-invalid-answer', says: '{origin} sent something that is not HTTP ({code}).'},
];

/** Returns the first row that fits one of the codes, and that code. */
const rowIn = <Row extends {readonly is: RegExp}>(rows: readonly Row[], codes: readonly string[]) => {
  for (const row of rows) {
    const found = codes.find(code => row.is.test(code));
    if (found !== undefined) return {...row, found};
  }
  return undefined;
};

export const failureIn = (codes: readonly string[]) => rowIn(failures, codes);

/**
 * Converts the failure of a call to `url` to a SetupError, by the codes of undici, Node, OpenSSL and the resolver.
 *
 * @param authority the certificate authorities that are trusted for the deployment besides this machine's own
 */
export const translateNetworkError = (
  error: unknown,
  url: URL,
  signal: AbortSignal,
  authority?: NetworkSettings['authority'],
): SetupError => {
  // A deadline aborts through the same signal as the person; only the person wants to stop.
  if (signal.aborted && signal.reason?.name !== 'TimeoutError') return findSetupError(signal.reason) ?? cancelled();
  const known = findSetupError(error);
  if (known) return known;
  if (!isOfNetwork(error)) return toSetupError(error);

  const {origin} = url;
  const codes = [...codesOf(error)];
  const options = {cause: error, about: {url: showUrl(url)}};
  const tls = tlsError(codes, origin, {...options, ...(authority ? {authority} : {})});
  if (tls) return tls;
  const failure = failureIn(codes);
  if (failure) {
    const {code, says, remedy, found} = failure;
    const facts: Record<string, string> = {origin, host: url.hostname, scheme: url.protocol.slice(0, -1), code: found};
    const message = says.replaceAll(/\{(\w+)\}/g, (_, fact) => facts[fact] ?? '');
    return new SetupError(code, message, {...options, ...(remedy === undefined ? {} : {remedy})});
  }
  // A limit of this machine is not a fault of the network.
  const limit = [...errorsIn(error)].map(limitIn).find(sentence => sentence !== undefined);
  if (limit !== undefined) return new SetupError('local-limit-reached', limit, options);
  return new SetupError('network-failed', `The call to ${origin} failed (${codes[0]}).`, options);
};

/** A problem of a certificate, by Node's code. */
type CertificateFault = {
  readonly is: RegExp;
  readonly says: string;
  /** `operators` if only the server's operators can solve it, `anyone` if trusting another authority here might. */
  readonly turn?: 'operators' | 'anyone';
};

const certificateFaults: readonly CertificateFault[] = [
  {is: /^DEPTH_ZERO_SELF_SIGNED_CERT$/, says: 'its certificate is self-signed', turn: 'anyone'},
  {
    is: /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)|CERT_UNTRUSTED)$/,
    says: 'its certificate comes from an authority that this machine doesn’t know',
    turn: 'anyone',
  },
  {is: /^CERT_HAS_EXPIRED$/, says: 'its certificate has expired', turn: 'operators'},
  {is: /^CERT_NOT_YET_VALID$/, says: 'its certificate is not valid yet; is the clock right?'},
  {is: /^CERT_REVOKED$/, says: 'its certificate was revoked', turn: 'operators'},
  {is: /^CERT_REJECTED$/, says: 'its certificate was refused'},
  {is: /^(CERT_CHAIN_TOO_LONG|PATH_LENGTH_EXCEEDED)$/, says: 'its certificate chain is too long'},
  {is: /^INVALID_CA$/, says: 'its certificate was signed by an authority that may not sign certificates'},
  {is: /^INVALID_PURPOSE$/, says: 'its certificate cannot be used for servers', turn: 'operators'},
  {is: /^CA_MD_TOO_WEAK$/, says: 'a signature in its certificate chain is too weak', turn: 'operators'},
  {is: /^EE_KEY_TOO_SMALL$/, says: 'its certificate’s key is too short', turn: 'operators'},
  {is: /^CA_KEY_TOO_SMALL$/, says: 'its certificate authority’s key is too short', turn: 'operators'},
  // The code for problems that Node does not name. Of the checks made here, only that of the strength of keys and
  // signatures leads to it.
  {is: /^UNSPECIFIED$/, says: 'its certificate, or one above it, is too weak', turn: 'operators'},
  {is: /^CERT_SIGNATURE_FAILURE$/, says: 'a signature in its certificate chain is wrong', turn: 'operators'},
  {is: /^ERR_TLS_CERT_ALTNAME_INVALID$/, says: 'its certificate is for another name', turn: 'operators'},
  {is: /^ERR_TLS_CERT_ALTNAME_FORMAT$/, says: 'the name in its certificate cannot be read', turn: 'operators'},
];

/** Alerts of a server that wants a client certificate, or another one (RFC 8446 6.2). */
const wantsCertificate =
  /^ERR_SSL_ALERT_HANDSHAKE_FAILURE$|ALERT_(CERTIFICATE_(REQUIRED|UNKNOWN|EXPIRED|REVOKED)|(BAD|UNSUPPORTED)_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/;

/** Codes for alerts of the other side, and for its messages that OpenSSL rejects: the other side does speak TLS. */
const saysNo = /^ERR_SSL_.*(ALERT|UNRECOGNIZED_NAME|UNSUPPORTED_PROTOCOL|TOO_SMALL|TOO_WEAK|LEGACY|SIGNATURE|CIPHER)/;

/** Returns the TLS error of an origin or a proxy; undefined if the failure is not about TLS. */
export const tlsError = (
  codes: readonly string[],
  who: string,
  {
    authority,
    ...options
  }: {readonly cause: unknown; readonly about?: About; readonly authority?: NetworkSettings['authority']},
): SetupError | undefined => {
  const asked = codes.find(code => wantsCertificate.test(code));
  if (asked) {
    const got = asked.includes('REQUIRED') || asked.includes('HANDSHAKE') ? 'none' : 'none that it accepts';
    const message = `${who} requires a client certificate, but got ${got} (${asked}).`;
    return new SetupError('network-client-certificate', message, options);
  }
  const fault = rowIn(certificateFaults, codes);
  if (fault) {
    const {says, turn, found} = fault;
    const remedy = 'Ask its operators to renew or fix the certificate. Don’t work around it.';
    const isAnothers = turn === 'anyone' && authority !== undefined;
    const other = isAnothers ? ` ${notAmong(authority)}` : '';
    return new SetupError('network-tls', `${who} could not be trusted: ${says} (${found}).${other}`, {
      ...options,
      ...(turn === 'operators' ? {remedy} : isAnothers ? {remedy: rightAuthority} : {}),
      // The authority of a proxy is not examined, so the person is not asked about it.
      ...(turn === 'anyone' && URL.canParse(who) ? {about: {...options.about, untrusted: who}} : {}),
    });
  }
  const refused = codes.find(code => saysNo.test(code));
  if (!refused) return undefined;
  return new SetupError('network-tls', `${who} could not agree on TLS with this machine (${refused}).`, {
    ...options,
    remedy: 'Check the name in the address. If it is right, ask the operators to check the server’s TLS settings.',
  });
};

const notAmong = (authority: NonNullable<NetworkSettings['authority']>): string =>
  'file' in authority
    ? `${authority.file} does not contain the certificate of its signer.`
    : 'The certificate authority that you trust for this platform did not sign it.';

const rightAuthority = {
  do: 'Get the certificate of the authority that signed it from the server’s operators.',
  flag: 'Pass that file with --ca-file FILE.',
} as const;

/** Returns a code for a problem that Node does not name, by OpenSSL's message (`X509_verify_cert_error_string`). */
export const verificationCode = (message: string): string => {
  if (message.includes('EE certificate key too weak')) return 'EE_KEY_TOO_SMALL';
  if (message.includes('CA certificate key too weak')) return 'CA_KEY_TOO_SMALL';
  return message.includes('CA signature digest algorithm too weak') ? 'CA_MD_TOO_WEAK' : 'UNSPECIFIED';
};

/**
 * Whether an error comes from the network: the system, OpenSSL, the parser of answers, or a timeout. Any other error is
 * a fault of this program.
 */
export const isOfNetwork = (error: unknown): boolean => [...codesOf(error)].some(code => !isOfNode.test(code));

/** Codes of Node and undici for wrong use, except for those about data from OpenSSL and certificates. */
const isOfNode = /^(ERR_(?!SSL_|TLS_CERT_)|MODULE_NOT_FOUND$|ABORT_ERR$|UND_ERR_(INVALID|NOT_SUPPORTED|REQ_))/;

/** Yields the chain of causes, with the members of an AggregateError (one per address that was tried). */
function* errorsIn(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 6) return;
  yield error;
  if (error instanceof AggregateError) for (const member of error.errors) yield* errorsIn(member, depth + 1);
  yield* errorsIn(error.cause, depth + 1);
}

/** Yields the codes of an error and its causes, with Node's codes in place of undici's. */
export function* codesOf(error: unknown): Generator<string> {
  for (const one of errorsIn(error)) {
    if (one instanceof ConnectionTimeout) {
      yield `TIMEOUT_${one.part.toUpperCase()}`;
      yield one.code;
    } else if ('code' in one && typeof one.code === 'string') {
      yield one.code === 'UNSPECIFIED' ? verificationCode(one.message) : (nodesCode.get(one.code) ?? one.code);
    }
    if (one.name === 'TimeoutError') yield one.name;
    if (one.name === 'HTTPParserError') yield parserCode(one.message);
  }
}

/** Codes of a closed connection, and of a connection whose path is gone. */
export const isClosed = /^(ECONNRESET|EPIPE|ECONNABORTED)$/;
export const isGone = /^(ECONNRESET|EPIPE|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;

/** Node's codes for undici's. */
const nodesCode: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_SOCKET', 'ECONNRESET'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ECONNRESET'],
  ['UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'],
  ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'],
]);

/** Returns a code for data that undici's parser (llhttp) rejects, which undici describes in words only. */
const parserCode = (message: string): string => {
  const reason = message.slice(message.indexOf('(') + 1, -1);
  return reason.startsWith('Expected HTTP/')
    ? 'HPE_INVALID_CONSTANT'
    : `HPE_${reason.toUpperCase().replaceAll(/[^A-Z]+/g, '_')}`;
};

/** Thrown if a part of a connection, or the wait for an answer to begin, took too long. */
export class ConnectionTimeout extends Error {
  override readonly name = 'ConnectionTimeout';
  readonly code = 'ETIMEDOUT';
  readonly part: keyof Timeouts | 'answer';
  constructor(part: keyof Timeouts | 'answer') {
    super(`It took too long: ${part}.`);
    this.part = part;
  }
}

/**
 * Runs one part of a connection within its time. `drop` releases its resources after any failure.
 *
 * @throws the errors of `begin`; `ConnectionTimeout`; the reason of `signal`
 */
export const withTimeout = async <T>(
  {time, part, signal}: {readonly time: number; readonly part: keyof Timeouts; readonly signal: AbortSignal},
  begin: () => Promise<T>,
  drop: () => void = () => {},
): Promise<T> => {
  const {promise: ended, reject} = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new ConnectionTimeout(part)), time);
  signal.addEventListener('abort', abort, {once: true});
  try {
    signal.throwIfAborted();
    return await Promise.race([begin(), ended]);
  } catch (error) {
    drop();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
};

/**
 * Keeps an error from ending the program while a connection is passed from one part to the next. The next part finds it
 * with `checkOpen`.
 */
export const held = <T extends Duplex>(connection: T): T => connection.on('error', () => {});

/**
 * Throws if a connection has ended.
 *
 * @throws the error that ended the connection while it was held
 */
export const checkOpen = (connection: Duplex): void => {
  if (connection.destroyed) throw connection.errored ?? connectionEnded();
};

export const connectionEnded = (): Error => Object.assign(new Error('The connection ended.'), {code: 'ECONNRESET'});
