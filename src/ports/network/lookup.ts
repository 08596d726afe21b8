import {lookup as systemLookup} from 'node:dns';
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
    systemLookup(hostname, options, callback);
    return;
  }
  if (options.all) process.nextTick(callback, null, loopbackAddresses);
  else process.nextTick(callback, null, '127.0.0.1', 4);
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
