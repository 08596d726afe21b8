import {networkInterfaces} from 'node:os';

const addresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(({internal}) => !internal)
    .map(({address}) => address);

/** This machine's addresses in the network as one text, which is another one when they have changed. */
export const ownAddresses = (): string => addresses().toSorted().join(' ');

/** Whether this machine still has an address. Those of itself it never loses. */
export const hasAddress = (address: string): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(address) || addresses().includes(address.replace(/^::ffff:/, ''));
