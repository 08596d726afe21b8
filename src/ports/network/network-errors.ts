import {cancelled, findSetupError, SetupError} from '../../errors.ts';
import {ConnectionTimeout} from './patience.ts';

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

  const late = [...errorsIn(error)].find(one => one instanceof ConnectionTimeout);
  if (late?.part === 'name') {
    return new SetupError('network-name-not-found', `The name ${url.hostname} was not found in time (${origin}).`, {
      ...options,
      remedy: 'The name servers of this machine do not answer. Check your DNS and your VPN.',
    });
  }
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
  const tls = tlsError(codes, origin, options);
  if (tls) return tls;
  if (codes.some(code => code.startsWith('ERR_SSL_')) || is('EPROTO', 'HPE_INVALID_CONSTANT')) {
    return new SetupError('network-wrong-scheme', `${origin} does not speak ${url.protocol.slice(0, -1)}.`, options);
  }
  if (is('ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')) {
    return new SetupError('network-reset', `${origin} closed the connection before its answer was complete.`, options);
  }
  return new SetupError('network-failed', `The call to ${origin} failed.`, options);
};

/**
 * What is wrong between here and somebody who speaks TLS; undefined where it is something else.
 *
 * @param who how the other side is called: an origin, or a proxy
 */
export const tlsError = (
  codes: readonly string[],
  who: string,
  options: {readonly cause: unknown},
): SetupError | undefined => {
  const asked = codes.find(code => wantsCertificate.test(code));
  if (asked) {
    const message = `${who} wants a client certificate, and took none from here (${asked}).`;
    return new SetupError('network-client-certificate', message, options);
  }
  const code = codes.find(one => tlsReasons.has(one) || one.startsWith('ERR_TLS_'));
  if (!code) return undefined;
  const reason = tlsReasons.get(code) ?? 'its TLS certificate was refused';
  const remedy = operatorsTurn.has(code)
    ? {remedy: 'Have its operators renew or mend the certificate; trusting it helps nobody.'}
    : {};
  const about = unknownAuthority.has(code) ? {about: {untrusted: who}} : {};
  return new SetupError('network-tls', `${who} could not be trusted: ${reason} (${code}).`, {
    ...{...options, ...remedy, ...about},
  });
};

/** What servers say in TLS to whoever proves nothing, or something else than they want (RFC 8446 6.2). */
const wantsCertificate =
  /ALERT_CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA|ALERT_CERTIFICATE_(UNKNOWN|EXPIRED|REVOKED)|ALERT_UNSUPPORTED_CERTIFICATE/;

/** What trust in another authority makes right. */
const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** What no authority that is trusted here makes right. */
const operatorsTurn = new Set([
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CA_MD_TOO_WEAK',
  'EE_KEY_TOO_SMALL',
  'CA_KEY_TOO_SMALL',
  'CERT_SIGNATURE_FAILURE',
]);

const tlsReasons = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate comes from an authority that this machine does not know'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate comes from an authority that this machine does not know'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate comes from an authority that this machine does not know'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet; is the clock right?'],
  ['CA_MD_TOO_WEAK', 'a signature of its certificates is too weak'],
  ['EE_KEY_TOO_SMALL', 'the key of its certificate is too short'],
  ['CA_KEY_TOO_SMALL', 'the key of its authority is too short'],
  ['CERT_SIGNATURE_FAILURE', 'a signature of its certificates is wrong'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
]);

/** The chain of causes, with the members of an AggregateError (one per address that was tried). */
function* errorsIn(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 6) return;
  yield error;
  if (error instanceof AggregateError) for (const member of error.errors) yield* errorsIn(member, depth + 1);
  yield* errorsIn(error.cause, depth + 1);
}

export function* codesOf(error: unknown): Generator<string> {
  for (const one of errorsIn(error)) {
    if ('code' in one && typeof one.code === 'string') yield one.code;
    if (one.name === 'TimeoutError') yield one.name;
  }
}
