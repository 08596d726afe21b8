import {BlockList, isIP} from 'node:net';
import {isLocalhostName} from './loopback.ts';

/** Where an address leads: to this machine, to who is on the same link, into a private network, or anywhere. */
export type AddressKind = 'loopback' | 'link-local' | 'private' | 'public';

const listOf = (...subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
};

/**
 * RFC 6890, with what stands for “this host”, which systems take for loopback. Made when it is needed: what tells an
 * address takes milliseconds, which no start has to pay.
 */
const makeLists = () => ({
  loopback: listOf('127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'),
  'link-local': listOf('169.254.0.0/16', 'fe80::/10'),
  private: listOf('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10'),
});

let lists: ReturnType<typeof makeLists> | undefined;

const kinds = ['loopback', 'link-local', 'private'] as const;

/** @param address an IP address, IPv4 in IPv6 too */
export const addressKind = (address: string): AddressKind => {
  lists ??= makeLists();
  const known = lists;
  return kinds.find(kind => known[kind].check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) ?? 'public';
};

/** The kind of a host of a URL by itself; undefined for a name that has to be looked up. */
export const hostKind = (hostname: string): AddressKind | undefined => {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isLocalhostName(host)) return 'loopback';
  return isIP(host) === 0 ? undefined : addressKind(host);
};
