import {type LookupAddress, type LookupOptions, lookup as systemLookup} from 'node:dns';
import type {LookupFunction} from 'node:net';
import {isLocalhostName} from '../loopback.ts';

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

/** How long others join a question that is on its way, in milliseconds. */
const JOINED_FOR = 2_000;

type LookUp = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>;

/**
 * Asks for a name once, for everybody who wants to know at that time: Node asks few at once, and behind a name server
 * that is away each question takes seconds. An older question is left to itself: it may have been put before a VPN was
 * up, and hang.
 */
export const askOnce = (ask: LookUp, now = () => performance.now()): LookUp => {
  const asked = new Map<string, {readonly asking: Promise<LookupAddress[]>; readonly since: number}>();
  return (hostname, options) => {
    const {all: _, ...rest} = options;
    const key = JSON.stringify([hostname, rest]);
    const known = asked.get(key);
    if (known && now() - known.since <= JOINED_FOR) return known.asking;
    const asking = ask(hostname, rest);
    const question = {asking, since: now()};
    asked.set(key, question);
    const forget = () => {
      if (asked.get(key) === question) asked.delete(key);
    };
    asking.then(forget, forget);
    return asking;
  };
};

const lookUpOnce = askOnce(
  (hostname, options) =>
    new Promise((resolve, reject) => {
      systemLookup(hostname, {...options, all: true}, (error, found) => (error ? reject(error) : resolve(found)));
    }),
);

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
