import {BlockList, isIP} from 'node:net';
import type {NetworkSettings, ProxyPasswords} from '../../domain/context.ts';

/** The certificate authorities of the system, which every route shares. */
export type SystemStore = {
  /** The certificates as last read. Undefined before the first read: calls then use those that Node reads itself. */
  certificates(): readonly string[] | undefined;
  /**
   * Reads the certificates again, for those that were added since the start. Existing connections are not used again.
   */
  reread(): Promise<void>;
};

/** The way to a deployment. It never changes: another way is another route. */
export type Route = {
  readonly settings: NetworkSettings;
  /** The passwords of its proxies, which are kept separately. */
  readonly passwords: ProxyPasswords;
  readonly system: SystemStore;
};

/**
 * Creates the system's store, which is empty until it is read.
 *
 * @param read reads the system's store in a separate process: Node reads it once, and keeps the result
 */
export const createSystemStore = (
  read: () => Promise<readonly string[] | undefined> = async () => undefined,
): SystemStore => {
  let certificates: readonly string[] | undefined;
  return {
    certificates: () => certificates,
    reread: async () => {
      certificates = (await read()) ?? certificates;
    },
  };
};

/** Returns the host of a URL as other APIs expect it: an IPv6 address without brackets. */
export const unbracketed = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Whether a name is `localhost` or below it: never looked up, always this machine (RFC 6761 6.3). */
export const isLocalhostName = (hostname: string): boolean => {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
};

/** Whether a name is below `localhost`: all resolvers know `localhost` itself, and many none below it. */
export const isBelowLocalhost = (hostname: string): boolean =>
  isLocalhostName(hostname) && !/^localhost\.?$/i.test(hostname);

/** Whether a host can only be this machine: a localhost name, 127.0.0.0/8 or ::1. */
export const isLoopback = (hostname: string): boolean => {
  const host = unbracketed(hostname);
  return isLocalhostName(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
};

/** The reach of an address: this machine, the same link, a private network, or any network. */
export type AddressKind = 'loopback' | 'link-local' | 'private' | 'public';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Creates a list of address ranges.
 *
 * @param subnets in CIDR
 */
export const listOf = (...subnets: readonly string[]): {has(address: string): boolean} => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return {has: address => list.check(address, familyOf(address))};
};

/**
 * Address ranges of RFC 6890, with “this host”, which systems treat as loopback, and the former site-local addresses
 * (RFC 3879). Created on demand, because that takes milliseconds.
 */
const makeLists = () =>
  [
    ['loopback', listOf('127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128')],
    ['link-local', listOf('169.254.0.0/16', 'fe80::/10')],
    ['private', listOf('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10')],
  ] as const;

let lists: ReturnType<typeof makeLists> | undefined;

/**
 * Returns the kind of an IP address.
 *
 * @param address an IP address, or IPv4 in IPv6
 */
export const addressKind = (address: string): AddressKind => {
  lists ??= makeLists();
  const [kind = 'public'] = lists.find(([, list]) => list.has(address)) ?? [];
  return kind;
};

/** Returns the kind of a URL's host without a lookup; undefined for a name that has to be looked up. */
export const hostKind = (hostname: string): AddressKind | undefined => {
  const host = unbracketed(hostname);
  if (isLocalhostName(host)) return 'loopback';
  return isIP(host) === 0 ? undefined : addressKind(host);
};

/** The final target of a connection: a name, or an address without brackets. */
export type ConnectionTarget = {readonly host: string; readonly port: number};

export const targetOf = (url: URL): ConnectionTarget => ({
  host: unbracketed(url.hostname),
  port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
});

/** Returns host and port as they are written together (RFC 3986 3.2). */
export const authorityOf = ({host, port}: ConnectionTarget): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
