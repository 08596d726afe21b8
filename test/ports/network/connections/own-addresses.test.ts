import {networkInterfaces} from 'node:os';
import {expect, test} from 'vitest';
import {hasAddress, ownAddresses} from '../../../../src/ports/network/connections/own-addresses.ts';

const withheld = () => {
  throw new Error('uv_interface_addresses returned Unknown system error 13');
};
const one = (address: string): typeof networkInterfaces => {
  const [known] = Object.values(networkInterfaces()).flatMap(list => list ?? []);
  return () => ({eth0: known ? [{...known, address, internal: false}] : []});
};

test('where the list cannot be had, no address is lost', () => {
  expect(hasAddress('192.0.2.77', withheld)).toBe(true);
  expect(hasAddress('192.0.2.77', one('192.0.2.1'))).toBe(false);
  expect(hasAddress('192.0.2.1', one('192.0.2.1'))).toBe(true);
});

test('where the list cannot be had, nothing has changed', () => {
  expect(ownAddresses(one('192.0.2.1'))).toBe('192.0.2.1');
  expect(ownAddresses(withheld)).toBe('192.0.2.1');
  expect(ownAddresses(withheld)).toBe('192.0.2.1');
  expect(ownAddresses(one('192.0.2.2'))).toBe('192.0.2.2');
});
