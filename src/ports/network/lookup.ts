import {type LookupAddress, type LookupOptions, lookup as systemLookup} from 'node:dns';
import type {LookupFunction} from 'node:net';
import {isLocalhostName} from './loopback.ts';

const loopbackAddresses = [
  {address: '127.0.0.1', family: 4},
  {address: '::1', family: 6},
];

/**
 * Name resolution for connections. `*.localhost` goes to loopback without a query (RFC 6761 6.3): browsers and curl
 * do that themselves, but the system's resolver often does not.
 */
export const lookup: LookupFunction = (hostname, options, callback) => {
  if (!isLocalhostName(hostname)) {
    lookUpOnce(hostname, options).then(
      found => (options.all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
      error => callback(error, options.all ? [] : ''),
    );
    return;
  }
  if (options.all) process.nextTick(callback, null, loopbackAddresses);
  else process.nextTick(callback, null, '127.0.0.1', 4);
};

/** Questions that are on their way. */
const asked = new Map<string, Promise<LookupAddress[]>>();

/**
 * Asks the system for a name once, for everybody who wants to know at that time: Node asks few at once, and behind a name
 * server that is away each question takes seconds.
 */
const lookUpOnce = (hostname: string, options: LookupOptions): Promise<LookupAddress[]> => {
  const {all: _, ...rest} = options;
  const key = JSON.stringify([hostname, rest]);
  const known = asked.get(key);
  if (known) return known;
  const asking = new Promise<LookupAddress[]>((resolve, reject) => {
    systemLookup(hostname, {...rest, all: true}, (error, found) => (error ? reject(error) : resolve(found)));
  });
  asked.set(key, asking);
  const forget = () => void asked.delete(key);
  asking.then(forget, forget);
  return asking;
};

/**
 * One address of a name, for a proxy that is given no names. IPv4 comes first: many proxies have no way to IPv6.
 *
 * @param family 0 for either
 * @throws the resolver's error, as Node gives it
 */
export const lookUpOne = (hostname: string, family: 0 | 4): Promise<string> =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, {family, order: 'ipv4first'}, (error, address) =>
      error ? reject(error) : resolve(address),
    );
  });
