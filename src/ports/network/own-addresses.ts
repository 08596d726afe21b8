import {networkInterfaces} from 'node:os';
import type {Duplex} from 'node:stream';

const addresses = (): readonly string[] => {
  try {
    return Object.values(networkInterfaces())
      .flatMap(list => list ?? [])
      .filter(({internal}) => !internal)
      .map(({address}) => address);
  } catch {
    // Some sandboxes do not let a program see them.
    return [];
  }
};

/** This machine's addresses in the network as one text, which is another one when they have changed. */
export const ownAddresses = (): string => addresses().toSorted().join(' ');

/** Whether this machine still has an address. Those of itself it never loses. */
export const hasAddress = (address: string): boolean => {
  const bare = address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*/, '');
  return bare.startsWith('127.') || bare === '::1' || addresses().includes(bare);
};

/** The address of this machine that a connection comes from; undefined where it is not known. */
export const localAddressOf = (connection: Duplex): string | undefined =>
  'localAddress' in connection && typeof connection.localAddress === 'string' ? connection.localAddress : undefined;
