import {type Remedy, SetupError} from '../errors/errors.ts';
import {type AddressKind, hostKind, isLoopback} from '../ports/network/route.ts';
import type {Ports} from '../ports/ports.ts';

/** The longest address that is called or shown, in characters. */
const LONGEST = 8_000;

/**
 * Returns the address that a server names in metadata, in a header or in an answer. Undefined for anything but http and
 * https, for an address that is too long, for one with a username or a password, which can look like the address of
 * another host, and for a value that is no address. Whether a call may go there is decided by `checkNamed` and by the
 * network's own policy.
 */
export const namedAddress = (value: unknown): URL | undefined => {
  if (typeof value !== 'string' || value.length > LONGEST || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isOfWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isOfWeb && url.username === '' && url.password === '' ? url : undefined;
};

/**
 * Returns the address of a page that a person is shown or sent to. Without TLS, the page has to be on this machine, or
 * at the server that names the page, if that server is called without TLS itself. Otherwise returns undefined.
 *
 * @param by the address of the server that names the page
 */
export const namedPage = (value: unknown, by: URL): URL | undefined => {
  const url = namedAddress(value);
  if (!url || url.protocol === 'https:' || isLoopback(url.hostname)) return url;
  return by.protocol === 'http:' && by.hostname === url.hostname ? url : undefined;
};

/** The kinds of address to which a server of the kind on the left must not lead. */
const closed: Readonly<Record<AddressKind, readonly AddressKind[]>> = {
  loopback: ['link-local'],
  private: ['link-local', 'loopback'],
  'link-local': ['loopback'],
  public: ['link-local', 'loopback', 'private'],
};

const says: Readonly<Record<AddressKind, string>> = {
  loopback: 'on this machine',
  'link-local': 'a link-local address',
  private: 'in a private network',
  public: 'a public address',
};

/**
 * Refuses an address that a server names if it leads to a place in which the server itself is not: no document from
 * outside may send requests into this machine or its network (RFC 9728 7.7, MCP security best practices, SSRF). An
 * address at the server's own host is allowed without a lookup. Behind a proxy, the proxy resolves names, so only
 * literal addresses are checked.
 *
 * @param named the address in the document
 * @param by the address of the server that names it
 * @param remedy what to do if the address is right nevertheless
 * @throws SetupError `auth-endpoint-foreign`
 */
export const checkNamed = async (
  named: URL,
  by: URL,
  {network}: Pick<Ports, 'network'>,
  remedy?: Remedy,
): Promise<void> => {
  if (named.hostname === by.hostname) return;
  const own = await kindsOf(by, network);
  // If a proxy resolves names, it is not known how far outside the server is.
  const refused = closed[own.find(kind => kind === 'public') ?? own[0] ?? 'private'];
  const found = (await kindsOf(named, network)).find(kind => refused.includes(kind));
  if (!found) return;
  throw new SetupError('auth-endpoint-foreign', `${by.origin} names ${named.origin}, which is ${says[found]}.`, {
    about: {url: by.origin},
    ...(remedy === undefined ? {} : {remedy}),
  });
};

/** Returns the kinds of a host's addresses; empty if its name cannot be resolved, which a call will report. */
const kindsOf = async (url: URL, network: Ports['network']): Promise<readonly AddressKind[]> => {
  const known = hostKind(url.hostname);
  if (known) return [known];
  const proxy = await network.proxy(url).catch(() => undefined);
  if (proxy !== undefined) return [];
  const {addresses} = await network.resolve(url.hostname);
  return addresses.flatMap(address => hostKind(address) ?? []);
};
