import {lookup as systemLookup} from 'node:dns';
import type {LookupFunction} from 'node:net';
import {isLocalhostName} from './loopback.ts';

const loopbackAddresses = [
  {address: '127.0.0.1', family: 4},
  {address: '::1', family: 6},
];

/**
 * Name resolution for the dispatcher. `*.localhost` goes to loopback without a query (RFC 6761 6.3): browsers and curl
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
