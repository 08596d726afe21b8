import {expect, test} from 'vitest';
import {isBelowLocalhost, isLocalhostName, isLoopback} from '../../../src/ports/network/loopback.ts';

test.each(['localhost', 'api.acme.localhost', 'API.Acme.LOCALHOST', 'localhost.', '127.0.0.1', '127.0.0.5', '[::1]'])(
  '%s is this machine',
  host => expect(isLoopback(host)).toBe(true),
);

test.each(['localhost.example.com', 'notlocalhost', '10.0.0.1', '[::2]', '128.0.0.1', '127.example.com', '0.0.0.0'])(
  '%s is not',
  host => expect(isLoopback(host)).toBe(false),
);

test('an address is no localhost name', () => {
  expect(isLocalhostName('127.0.0.1')).toBe(false);
});

test.each([
  ['api.acme.localhost', true],
  ['localhost', false],
  ['LOCALHOST.', false],
  ['127.0.0.1', false],
  ['localhost.example.com', false],
])('%s is below localhost: %s', (host, expected) => expect(isBelowLocalhost(host)).toBe(expected));
