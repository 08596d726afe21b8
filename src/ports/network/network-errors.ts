import {cancelled, findSetupError, SetupError, toSetupError} from '../../errors/errors.ts';
import {limitIn} from '../../errors/system-limit.ts';
import {ConnectionTimeout} from './connections/patience.ts';
import {showUrl} from './curl.ts';
import {tlsError, verificationCode} from './tls/tls-errors.ts';

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
