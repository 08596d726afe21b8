import {cancelled, findSetupError, SetupError} from '../../errors.ts';

/** Says in one SetupError why a call to `url` failed before it had an answer. Node, undici and OpenSSL are read here only. */
export const translateNetworkError = (error: unknown, url: URL, signal: AbortSignal): SetupError => {
  // A deadline aborts through the same signal as the person does; only the latter is a wish to stop.
  if (signal.aborted && signal.reason?.name !== 'TimeoutError') return findSetupError(signal.reason) ?? cancelled();
  const known = findSetupError(error);
  if (known) return known;

  const {origin} = url;
  const codes = [...codesOf(error)];
  const is = (...wanted: string[]) => codes.find(code => wanted.includes(code));
  const options = {cause: error};

  if (is('ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME')) {
    return new SetupError('network-name-not-found', `The name ${url.hostname} is not known (${origin}).`, options);
  }
  if (is('ECONNREFUSED')) return new SetupError('network-refused', `Nothing listens at ${origin}.`, options);
  if (is('EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL')) {
    return new SetupError('network-failed', `There is no way from here to ${origin}.`, options);
  }
  if (is('TimeoutError', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT')) {
    return new SetupError('network-timeout', `${origin} did not answer in time.`, options);
  }
  const tls = codes.find(code => tlsReasons.has(code) || code.startsWith('ERR_TLS_'));
  if (tls) {
    const reason = tlsReasons.get(tls) ?? 'its TLS certificate was refused';
    const remedy = operatorsTurn.has(tls)
      ? {remedy: 'Have its operators renew or mend the certificate; trusting it helps nobody.'}
      : {};
    return new SetupError('network-tls', `${origin} could not be trusted: ${reason} (${tls}).`, {
      ...options,
      ...remedy,
    });
  }
  if (codes.some(code => code.startsWith('ERR_SSL_')) || is('EPROTO', 'HPE_INVALID_CONSTANT')) {
    return new SetupError('network-wrong-scheme', `${origin} does not speak ${url.protocol.slice(0, -1)}.`, options);
  }
  if (is('ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')) {
    return new SetupError('network-reset', `${origin} closed the connection before its answer was complete.`, options);
  }
  return new SetupError('network-failed', `The call to ${origin} failed.`, options);
};

/** What no authority that is trusted here makes right. */
const operatorsTurn = new Set(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID']);

const tlsReasons = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate comes from an authority that this machine does not know'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate comes from an authority that this machine does not know'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate comes from an authority that this machine does not know'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet; is the clock right?'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
]);

/** The chain of causes, with the members of an AggregateError (one per address that was tried). */
function* errorsIn(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 6) return;
  yield error;
  if (error instanceof AggregateError) for (const member of error.errors) yield* errorsIn(member, depth + 1);
  yield* errorsIn(error.cause, depth + 1);
}

function* codesOf(error: unknown): Generator<string> {
  for (const one of errorsIn(error)) {
    if ('code' in one && typeof one.code === 'string') yield one.code;
    if (one.name === 'TimeoutError') yield one.name;
  }
}
