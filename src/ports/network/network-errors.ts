import type {Duplex} from 'node:stream';
import {type About, cancelled, findSetupError, SetupError, toSetupError} from '../../errors/errors.ts';
import {limitIn} from '../../errors/system-limit.ts';
import type {Patience} from '../ports.ts';
import {showUrl} from './curl.ts';

/** Says in one SetupError why a call to `url` failed before it had an answer. Node and OpenSSL are read here only. */
export const translateNetworkError = (error: unknown, url: URL, signal: AbortSignal): SetupError => {
  // A deadline aborts through the same signal as the person does; only the latter is a wish to stop.
  if (signal.aborted && signal.reason?.name !== 'TimeoutError') return findSetupError(signal.reason) ?? cancelled();
  const known = findSetupError(error);
  if (known) return known;
  if (!isOfNetwork(error)) return toSetupError(error);

  const {origin} = url;
  const codes = [...codesOf(error)];
  const is = (...wanted: string[]) => codes.find(code => wanted.includes(code));
  const options = {cause: error, about: {url: showUrl(url)}};

  const late = [...errorsIn(error)].find(one => one instanceof ConnectionTimeout);
  if (late?.part === 'name') {
    return new SetupError('network-name-not-found', `${url.hostname} could not be resolved in time (${origin}).`, {
      ...options,
      remedy: 'This machine’s DNS servers do not answer. Check your DNS and your VPN.',
    });
  }
  if (late?.part === 'tls') {
    return new SetupError('network-timeout', `${origin} did not complete the TLS handshake in time.`, options);
  }
  if (late?.part === 'connect')
    return new SetupError('network-timeout', `Could not connect to ${origin} in time.`, options);
  if (is(...nameNotFound)) {
    return new SetupError('network-name-not-found', `${url.hostname} could not be resolved (${origin}).`, options);
  }
  if (is('ECONNREFUSED')) return new SetupError('network-refused', `Nothing listens at ${origin}.`, options);
  if (is('EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETDOWN')) {
    return new SetupError('network-failed', `${origin} can’t be reached from here.`, {
      ...options,
      remedy: 'Check your connection and VPN, then try again.',
    });
  }
  if (is('EACCES', 'EPERM')) {
    return new SetupError('network-failed', `This machine does not allow connections to ${origin}.`, {
      ...options,
      remedy: 'Check its firewall, and the sandbox if this runs in one.',
    });
  }
  if (is('TimeoutError', 'ETIMEDOUT')) {
    return new SetupError('network-timeout', `${origin} did not answer in time.`, options);
  }
  const tls = tlsError(codes, origin, options);
  if (tls) return tls;
  if (isOtherProtocol(codes)) {
    return new SetupError('network-wrong-scheme', `${origin} does not speak ${url.protocol.slice(0, -1)}.`, options);
  }
  if (is(...closedCodes, 'HPE_INVALID_EOF_STATE')) {
    return new SetupError('network-reset', `${origin} closed the connection before its answer was complete.`, options);
  }
  const garbled = codes.find(code => code.startsWith('HPE_'));
  if (garbled) {
    return new SetupError(
      'platform-invalid-answer',
      `${origin} sent something that is not HTTP (${garbled}).`,
      options,
    );
  }
  // What this machine does not give is no fault of the network.
  const limit = [...errorsIn(error)].map(limitIn).find(sentence => sentence !== undefined);
  if (limit !== undefined) return new SetupError('local-limit-reached', limit, options);
  return new SetupError('network-failed', `The call to ${origin} failed (${codes[0]}).`, options);
};

/** A connection that was closed, and what else becomes of one whose way is gone. */
export const closedCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
export const goneCodes: ReadonlySet<string> = new Set([
  ...closedCodes,
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** Whether somebody answered in another protocol than was spoken to, for all that is not an error of TLS. */
export const isOtherProtocol = (codes: readonly string[]): boolean =>
  codes.some(code => /^(ERR_SSL_(?!.*ALERT)|EPROTO$|HPE_INVALID_CONSTANT$)/.test(code));

/** What resolvers say of names that they do not find. */
export const nameNotFound: readonly string[] = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'EAI_FAIL'];

/**
 * Whether something came from the network: from the system, from OpenSSL, from the parser of answers, or a time that was
 * up. Anything else is a slip of this program's.
 */
export const isOfNetwork = (error: unknown): boolean => [...codesOf(error)].some(code => !isOfNode.test(code));

/** How Node and undici call what they were asked for and do not do, but for what it reads of OpenSSL and of certificates. */
const isOfNode = /^(ERR_(?!SSL_|TLS_CERT_)|MODULE_NOT_FOUND$|ABORT_ERR$|UND_ERR_(INVALID|NOT_SUPPORTED|REQ_))/;

/** The chain of causes, with the members of an AggregateError (one per address that was tried). */
function* errorsIn(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 6) return;
  yield error;
  if (error instanceof AggregateError) for (const member of error.errors) yield* errorsIn(member, depth + 1);
  yield* errorsIn(error.cause, depth + 1);
}

export function* codesOf(error: unknown): Generator<string> {
  for (const one of errorsIn(error)) {
    if ('code' in one && typeof one.code === 'string') {
      yield one.code === 'UNSPECIFIED' ? verificationCode(one.message) : (nodesCode.get(one.code) ?? one.code);
    }
    if (one.name === 'TimeoutError') yield one.name;
    if (one.name === 'HTTPParserError') yield parserCode(one.message);
  }
}

/** What undici says of a connection, as Node says it. */
const nodesCode: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_SOCKET', 'ECONNRESET'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ECONNRESET'],
  ['UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'],
  ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'],
]);

/** undici tells in words alone what its parser (llhttp) does not take. */
const parserCode = (message: string): string => {
  const reason = message.slice(message.indexOf('(') + 1, -1);
  return reason.startsWith('Expected HTTP/')
    ? 'HPE_INVALID_CONSTANT'
    : `HPE_${reason.toUpperCase().replaceAll(/[^A-Z]+/g, '_')}`;
};

/** A server that broke the handshake off, for all that is known because it got no certificate. */
export class ClientCertificateWanted extends Error {
  override readonly name = 'ClientCertificateWanted';
  readonly code = 'ERR_SSL_ALERT_HANDSHAKE_FAILURE';
  constructor(cause: unknown) {
    super('The server ended the handshake after showing its certificate.', {cause});
  }
}

/**
 * What is wrong between here and somebody who speaks TLS; undefined where it is something else.
 *
 * @param codes of the error and of its causes
 * @param who how the other side is called: an origin, or a proxy
 */
export const tlsError = (
  codes: readonly string[],
  who: string,
  options: {readonly cause: unknown; readonly about?: About},
): SetupError | undefined => {
  const asked = codes.find(code => code === WANTED || wantsCertificate.test(code));
  if (asked) {
    const got = asked === WANTED || asked.includes('REQUIRED') ? 'none' : 'none that it accepts';
    const message = `${who} requires a client certificate, and got ${got} (${asked}).`;
    return new SetupError('network-client-certificate', message, options);
  }
  const code = codes.find(one => tlsReasons.has(one));
  if (code) {
    const remedy = operatorsTurn.has(code)
      ? {remedy: 'Ask its operators to renew or fix the certificate. Don’t work around it.'}
      : {};
    const message = `${who} could not be trusted: ${tlsReasons.get(code)} (${code}).`;
    const isUnknown = tlsReasons.get(code) === unknownAuthority || code === SELF_SIGNED;
    // Who signed for a proxy is not looked at, so it is no question.
    const about = isUnknown && URL.canParse(who) ? {about: {...options.about, untrusted: who}} : {};
    return new SetupError('network-tls', message, {...options, ...remedy, ...about});
  }
  const refused = codes.find(saysNo);
  if (!refused) return undefined;
  return new SetupError('network-tls', `${who} could not agree on TLS with this machine (${refused}).`, {
    ...options,
    remedy: 'Check the name in the address. If it is right, ask the operators to check the server’s TLS settings.',
  });
};

const WANTED = new ClientCertificateWanted(undefined).code;

/** What servers say in TLS to whoever proves nothing, or something else than they want (RFC 8446 6.2). */
const wantsCertificate =
  /ALERT_CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA|ALERT_ACCESS_DENIED|ALERT_CERTIFICATE_(UNKNOWN|EXPIRED|REVOKED)|ALERT_UNSUPPORTED_CERTIFICATE/;

/** The other side's alerts, and what OpenSSL does not take from it. Who says this speaks TLS. */
const saysNo = (code: string): boolean =>
  code.startsWith('ERR_SSL_') &&
  /ALERT|UNRECOGNIZED_NAME|UNSUPPORTED_PROTOCOL|TOO_SMALL|TOO_WEAK|LEGACY|SIGNATURE|CIPHER/.test(code);

/** What no authority that is trusted here makes right. */
const operatorsTurn = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_REVOKED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_TLS_CERT_ALTNAME_FORMAT',
  'CA_MD_TOO_WEAK',
  'EE_KEY_TOO_SMALL',
  'CA_KEY_TOO_SMALL',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_PURPOSE',
  'UNSPECIFIED',
]);

const SELF_SIGNED = 'DEPTH_ZERO_SELF_SIGNED_CERT';
const unknownAuthority = 'its certificate comes from an authority that this machine doesn’t know';

/** What Node calls what OpenSSL finds wrong with a certificate. */
const tlsReasons = new Map([
  [SELF_SIGNED, 'its certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['CERT_UNTRUSTED', unknownAuthority],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet; is the clock right?'],
  ['CERT_REVOKED', 'its certificate was revoked'],
  ['CERT_REJECTED', 'its certificate was refused'],
  ['CERT_CHAIN_TOO_LONG', 'its certificate chain is too long'],
  ['PATH_LENGTH_EXCEEDED', 'its certificate chain is too long'],
  ['INVALID_CA', 'its certificate was signed by one that is not allowed to'],
  ['INVALID_PURPOSE', 'its certificate is not meant for servers'],
  ['CA_MD_TOO_WEAK', 'a signature in its certificate chain is too weak'],
  ['EE_KEY_TOO_SMALL', 'the key of its certificate is too short'],
  ['CA_KEY_TOO_SMALL', 'the key of its authority is too short'],
  // What Node has no name for; of what is checked here, that is the strength of keys and signatures.
  ['UNSPECIFIED', 'its certificate, or one above it, is too weak'],
  ['CERT_SIGNATURE_FAILURE', 'a signature in its certificate chain is wrong'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['ERR_TLS_CERT_ALTNAME_FORMAT', 'its certificate has no readable name'],
]);

/** What Node leaves without a name, by what OpenSSL says of it (`X509_verify_cert_error_string`). */
export const verificationCode = (message: string): string =>
  [
    {says: 'EE certificate key too weak', code: 'EE_KEY_TOO_SMALL'},
    {says: 'CA certificate key too weak', code: 'CA_KEY_TOO_SMALL'},
    {says: 'CA signature digest algorithm too weak', code: 'CA_MD_TOO_WEAK'},
  ].find(({says}) => message.includes(says))?.code ?? 'UNSPECIFIED';

/** For whatever is known, or was named by the person. */
export const patient: Patience = {name: 15_000, connect: 10_000, tunnel: 30_000, tls: 10_000};

/** What ran out of its time: a part of a connection, or the wait for an answer to begin. */
export class ConnectionTimeout extends Error {
  override readonly name = 'ConnectionTimeout';
  readonly code = 'ETIMEDOUT';
  readonly part: keyof Patience | 'answer';
  constructor(part: keyof Patience | 'answer') {
    super(`It took too long: ${part}.`);
    this.part = part;
  }
}

type Limits = {
  /** In milliseconds. */
  readonly time: number;
  /** What runs out of it. */
  readonly part: keyof Patience;
  readonly signal: AbortSignal;
};

/**
 * One part of a connection, for as long as it may take.
 *
 * @param drop lets go of what the part holds, whatever it failed of
 * @throws what `begin` does; `ConnectionTimeout`; what `signal` aborts with
 */
export const within = async <T>(
  {time, part, signal}: Limits,
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
 * A connection on its way from one who made a part of it to one who makes the next. An error that nobody listens for
 * ends the program; this one is found by whoever has the connection next.
 */
export const held = <T extends Duplex>(connection: T): T => connection.on('error', () => {});

/** @throws what the connection broke off with, if it did while nobody was looking */
export const checkOpen = (connection: Duplex): void => {
  if (connection.destroyed) throw connection.errored ?? connectionEnded();
};

/** For a connection that ended without saying why. */
export const connectionEnded = (): Error => Object.assign(new Error('The connection ended.'), {code: 'ECONNRESET'});
