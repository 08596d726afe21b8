import {expect, test} from 'vitest';
import {addressKind, hostKind} from '../../../src/ports/network/address-kind.ts';

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['::1', 'loopback'],
  ['::', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd00:ec2::254', 'private'],
  ['172.32.0.1', 'public'],
  ['100.128.0.1', 'public'],
  ['8.8.8.8', 'public'],
  ['2001:4860:4860::8888', 'public'],
])('%s is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind);
});

test('a host is of a kind by itself where it is an address, or a name of this machine', () => {
  expect(hostKind('idp.localhost')).toBe('loopback');
  expect(hostKind('[fe80::1]')).toBe('link-local');
  expect(hostKind(new URL('http://0x7f.1/').hostname)).toBe('loopback');
  expect(hostKind('idp.acme.example')).toBeUndefined();
});
