import {type About, SetupError} from '../../../errors/errors.ts';

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
