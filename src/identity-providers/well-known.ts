import {withoutEnd} from '../text.ts';

const OPENID = '/.well-known/openid-configuration';
const OAUTH = '/.well-known/oauth-authorization-server';

/**
 * Where an issuer's metadata may be, the usual places first: OpenID Connect puts its name behind the path (Discovery 4.1),
 * OAuth before it (RFC 8414 3.1), and providers do either with either name.
 *
 * @param issuer its URL, with or without a slash at the end
 */
const metadataAddresses = (issuer: string): readonly URL[] => {
  const {origin, pathname} = new URL(issuer);
  const path = withoutEnd(pathname, '/');
  const addresses = [`${path}${OPENID}`, `${OAUTH}${path}`, `${OPENID}${path}`, `${path}${OAUTH}`];
  return [...new Set(addresses)].map(address => new URL(`${origin}${address}`));
};

/**
 * Asks for an issuer's metadata, place by place.
 *
 * @param ask what is at one address; undefined where there is nothing (404)
 * @returns what was found first; undefined where nothing is anywhere
 * @throws what `ask` throws
 */
export const findMetadata = async <Found>(
  issuer: string,
  ask: (address: URL) => Promise<Found | undefined>,
): Promise<Found | undefined> => {
  for (const address of metadataAddresses(issuer)) {
    const found = await ask(address);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Whether two addresses of an identity provider differ by nothing but a slash at the end. */
export const isSameButSlash = (one: string, other: string): boolean => withoutEnd(one, '/') === withoutEnd(other, '/');
