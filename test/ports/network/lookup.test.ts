import {expect, test} from 'vitest';
import {lookUpOne, lookup} from '../../../src/ports/network/lookup.ts';

const ask = (host: string, all: boolean) =>
  new Promise(resolve => lookup(host, {all}, (error, address, family) => resolve([error, address, family])));

test('a name below localhost is loopback without a query', async () => {
  expect(await ask('api.acme.localhost', false)).toEqual([null, '127.0.0.1', 4]);
  const both = [
    {address: '127.0.0.1', family: 4},
    {address: '::1', family: 6},
  ];
  expect(await ask('api.acme.localhost', true)).toEqual([null, both, undefined]);
});

test('another name is the system’s to know', async () => {
  expect(await ask('192.0.2.1', false)).toEqual([null, '192.0.2.1', 4]);
});

test('one address is found for a proxy that takes no names', async () => {
  expect(await lookUpOne('192.0.2.1', 4)).toBe('192.0.2.1');
  await expect(lookUpOne('no-such-host.invalid', 0)).rejects.toMatchObject({code: expect.stringMatching(/^E/)});
});
