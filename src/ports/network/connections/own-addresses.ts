import {networkInterfaces} from 'node:os';
import type {Duplex} from 'node:stream';

/** Undefined where they cannot be had. */
const addresses = (interfaces: typeof networkInterfaces): readonly string[] | undefined => {
  try {
    return Object.values(interfaces())
      .flatMap(list => list ?? [])
      .filter(({internal}) => !internal)
      .map(({address}) => address);
  } catch {
    // Some sandboxes do not let a program see them.
    return undefined;
  }
};

let last = '';

/**
 * This machine's addresses in the network as one text, which is another one when they have changed. What cannot be had
 * has not changed.
 */
export const ownAddresses = (interfaces = networkInterfaces): string => {
  last = addresses(interfaces)?.toSorted().join(' ') ?? last;
  return last;
};

/** Whether this machine still has an address. Those of itself it never loses, nor any that cannot be looked for. */
export const hasAddress = (address: string, interfaces = networkInterfaces): boolean => {
  const bare = address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*/, '');
  if (bare.startsWith('127.') || bare === '::1') return true;
  return addresses(interfaces)?.includes(bare) ?? true;
};

/** The address of this machine that a connection comes from; undefined where it is not known. */
export const localAddressOf = (connection: Duplex): string | undefined =>
  'localAddress' in connection && typeof connection.localAddress === 'string' ? connection.localAddress : undefined;
