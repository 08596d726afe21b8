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
