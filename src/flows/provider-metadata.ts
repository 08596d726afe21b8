import {SetupError} from '../errors/errors.ts';
import type {Ports} from '../ports/ports.ts';
import {cleanText} from '../text.ts';
import type {JsonObject} from './answers.ts';
import {checkNamed, namedAddress} from './named-address.ts';

/** The endpoints that receive a credential, or return keys (RFC 8414 2). */
const endpoints = [
  ...['token_endpoint', 'revocation_endpoint', 'device_authorization_endpoint', 'jwks_uri'],
  'pushed_authorization_request_endpoint',
];

/**
 * Requires that an identity provider’s endpoints can be called: that each is an address, and that none sends a
 * credential to a host that the person never named (RFC 9700 4.4). Some providers have endpoints on other hosts. Those
 * are accepted if the issuer's own document names them over TLS, unless they lead into a network that the issuer is not
 * in.
 *
 * @throws SetupError `platform-invalid-answer`, `auth-endpoint-foreign`
 */
export const requireEndpoints = async (
  metadata: JsonObject,
  issuer: string,
  ports: Pick<Ports, 'network'>,
): Promise<void> => {
  const own = new URL(issuer);
  const about = {url: issuer};
  for (const name of endpoints) {
    const address = metadata[name];
    if (address === undefined) continue;
    const url = namedAddress(address);
    if (!url) {
      const message = `${issuer} names a ${name} that can’t be called.`;
      throw new SetupError('platform-invalid-answer', message, {about});
    }
    if (url.hostname === own.hostname) continue;
    if (own.protocol === 'https:' && url.protocol === 'https:') {
      await checkNamed(url, own, ports);
      continue;
    }
    throw new SetupError('auth-endpoint-foreign', `${issuer} names a ${name} at another host, ${url.origin}.`, {about});
  }
};

type Mismatch = {
  /** The flag with which a person can pass the address that the provider names. */
  readonly flag?: 'auth-url' | 'issuer';
  /**
   * Whether the platform is still being searched for: then the address is more likely to be wrong than the provider's
   * metadata.
   */
  readonly isSearch?: boolean;
  readonly cause?: unknown;
};

/**
 * Returns the error for an identity provider that names another issuer than the address by which it is known (RFC 8414
 * 3.3).
 *
 * @param issuer the address by which it is known
 * @param called the issuer that it names; undefined if that is not known
 */
export const issuerMismatch = (
  issuer: string,
  called: string | undefined,
  {flag = 'auth-url', isSearch = false, ...options}: Mismatch = {},
): SetupError => {
  const shown = called === undefined ? undefined : cleanText(called);
  const address = shown ?? 'URL';
  const message =
    shown === undefined
      ? `${issuer} identifies itself by a different address.`
      : `${issuer} identifies itself as ${shown}, but ${issuer} was expected.`;
  return new SetupError('auth-issuer-mismatch', message, {
    ...options,
    remedy: {
      do: isSearch
        ? 'Use the identity provider’s own address, if you trust it, or ask its operators to correct it.'
        : 'Ask its operators to correct its external address, then try again.',
      flag: isSearch ? `Pass --${flag} ${address}.` : `If that address is right, pass --${flag} ${address}.`,
    },
    about: {url: issuer, flag, ...(shown === undefined ? {} : {called: shown})},
  });
};

/** Returns the metadata without members that should be lists and are not: they count as absent. */
export const withoutFalseLists = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(metadata).filter(([name, value]) => {
      if (!name.endsWith('_supported') || typeof value === 'boolean') return true;
      return Array.isArray(value) && value.every(one => typeof one === 'string');
    }),
  );

/**
 * Returns the issuer that metadata names.
 *
 * @throws SetupError `platform-invalid-answer` if it names none, or none that is an address
 */
export const issuerIn = ({issuer}: JsonObject, {href}: URL): string => {
  if (typeof issuer === 'string' && namedAddress(issuer)) return issuer;
  const what =
    typeof issuer === 'string' && issuer !== '' ? `an issuer that is not a URL: ${cleanText(issuer)}` : 'no issuer';
  throw new SetupError('platform-invalid-answer', `${href} names ${what}.`, {about: {url: href}});
};
