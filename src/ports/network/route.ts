import {BlockList, isIP} from 'node:net';
import type {NetworkSettings, ProxyPasswords} from '../../domain/context.ts';

/** The certificate authorities of the system, which every route shares. */
export type SystemStore = {
  /** As they were read last; undefined as long as nobody has, and those that Node read at its start count. */
  certificates(): readonly string[] | undefined;
  /** Reads them again, for what was put there since the start. Connections that were made before are not used again. */
  reread(): Promise<void>;
};

/** The way to a deployment. It never changes: another way is another route. */
export type Route = {
  readonly settings: NetworkSettings;
  /** The passwords of its proxies, which are kept apart. */
  readonly passwords: ProxyPasswords;
  readonly system: SystemStore;
};

/** @param read reads the system's store in a process of its own: Node reads it once, and keeps it */
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

/** A host of a URL as everything else takes it: an address in IPv6 without brackets. */
export const unbracketed = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** `localhost` and every name below it: never looked up, always this machine (RFC 6761 6.3). */
export const isLocalhostName = (hostname: string): boolean => {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
};

/** A name that resolvers need not know: they all know `localhost` itself, and many none below it. */
export const isBelowLocalhost = (hostname: string): boolean =>
  isLocalhostName(hostname) && !/^localhost\.?$/i.test(hostname);

/** A host that can only be this machine: a localhost name, 127.0.0.0/8 or ::1. */
export const isLoopback = (hostname: string): boolean => {
  const host = unbracketed(hostname);
  return isLocalhostName(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
};

/** Where an address leads: to this machine, to who is on the same link, into a private network, or anywhere. */
export type AddressKind = 'loopback' | 'link-local' | 'private' | 'public';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** @param subnets in CIDR */
export const listOf = (...subnets: readonly string[]): {has(address: string): boolean} => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return {has: address => list.check(address, familyOf(address))};
};

/**
 * RFC 6890, with “this host”, which systems take for loopback. Making it takes milliseconds, which no start has to pay.
 */
const makeLists = () =>
  [
    ['loopback', listOf('127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128')],
    ['link-local', listOf('169.254.0.0/16', 'fe80::/10')],
    ['private', listOf('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10')],
  ] as const;

let lists: ReturnType<typeof makeLists> | undefined;

/** @param address an IP address, IPv4 in IPv6 too */
export const addressKind = (address: string): AddressKind => {
  lists ??= makeLists();
  const [kind = 'public'] = lists.find(([, list]) => list.has(address)) ?? [];
  return kind;
};

/** The kind of a host of a URL by itself; undefined for a name that has to be looked up. */
export const hostKind = (hostname: string): AddressKind | undefined => {
  const host = unbracketed(hostname);
  if (isLocalhostName(host)) return 'loopback';
  return isIP(host) === 0 ? undefined : addressKind(host);
};

/** Where a connection leads in the end: a name, or an address without brackets. */
export type Target = {readonly host: string; readonly port: number};

export const targetOf = (url: URL): Target => ({
  host: unbracketed(url.hostname),
  port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
});

/** Host and port as they are written together (RFC 3986 3.2). */
export const authorityOf = ({host, port}: Target): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
