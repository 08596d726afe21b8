import {orByFlag} from '../errors/error-row.ts';
import {SetupError} from '../errors/errors.ts';
import type {Ports} from '../ports/ports.ts';
import {cleanText} from '../text.ts';
import type {JsonObject} from './answers.ts';
import {checkNamed, namedAddress} from './named-address.ts';

/** The endpoints that get a credential, or bring keys (RFC 8414 2). */
const endpoints = [
  ...['token_endpoint', 'revocation_endpoint', 'device_authorization_endpoint', 'jwks_uri'],
  'pushed_authorization_request_endpoint',
];

/**
 * Holds that an identity provider’s endpoints can be gone to: that each is an address, and none sends a credential to a host
 * that the person never named (RFC 9700 4.4). Some have their endpoints on other hosts all the same: what the issuer's own
 * document says over TLS counts, where it does not lead into a network that the issuer is not in.
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
  /** The flag that would give the address by which it calls itself. */
  readonly flag?: 'auth-url' | 'issuer';
  /** Whether the platform is only looked for: the address is then more likely wrong than what the provider says. */
  readonly isSearch?: boolean;
  readonly cause?: unknown;
};

/**
 * That an identity provider calls itself by another address than the one by which it is known (RFC 8414 3.3).
 *
 * @param issuer the address by which it is known
 * @param called what it calls itself, as it says; undefined where that is not known
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
    remedy: orByFlag(
      isSearch
        ? 'Use the identity provider’s own address, if you trust it, or ask its operators to correct it.'
        : 'Ask its operators to correct its external address, then try again.',
      isSearch ? `Pass --${flag} ${address}.` : `If that address is right, pass --${flag} ${address}.`,
    ),
    about: {url: issuer, flag, ...(shown === undefined ? {} : {called: shown})},
  });
};

/** Metadata without what says of itself that it is a list, and is none: that is not told then. */
export const withoutFalseLists = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(metadata).filter(([name, value]) => {
      if (!name.endsWith('_supported') || typeof value === 'boolean') return true;
      return Array.isArray(value) && value.every(one => typeof one === 'string');
    }),
  );

/**
 * The issuer that metadata names.
 *
 * @throws SetupError `platform-invalid-answer` where it names none, or none that is an address
 */
export const issuerIn = ({issuer}: JsonObject, {href}: URL): string => {
  if (typeof issuer === 'string' && namedAddress(issuer)) return issuer;
  const what =
    typeof issuer === 'string' && issuer !== '' ? `an issuer that is not a URL: ${cleanText(issuer)}` : 'no issuer';
  throw new SetupError('platform-invalid-answer', `${href} names ${what}.`, {about: {url: href}});
};
