import {expect, test} from 'vitest';
import {createHttp, createStreams} from '../../../src/ports/network/http.ts';
import {
  addressKind,
  createSystemStore,
  hostKind,
  isBelowLocalhost,
  isLocalhostName,
  isLoopback,
} from '../../../src/ports/network/route.ts';
import type {CallEvent} from '../../../src/ports/ports.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {routeBy} from '../../support/route.ts';
import {closedOrigin} from '../../support/server.ts';
import {pem, serveTls} from './support/tls-server.ts';

test('an authority that was put into the system’s store since the start counts once the store is read anew', async () => {
  const {port} = await serveTls();
  let store: readonly string[] = [];
  const system = createSystemStore(async () => store);
  const policy = {allowHttp: []};
  const http = createHttp(createStreams({}, policy, routeBy({}, {}, system)), policy, () => 0);
  const url = new URL(`https://api.acme.localhost:${port}/`);
  const send = () => http.send({method: 'GET', url}, {signal: noSignal, report: () => {}});
  await expect(send()).rejects.toMatchObject({code: 'network-tls'});
  store = [pem('authority.crt')];
  await expect(send()).rejects.toMatchObject({code: 'network-tls'});
  await system.reread();
  expect(await send()).toMatchObject({status: 200});
});

test('the same way keeps its connections, and another one has its own', async () => {
  const ports = await temporaryPorts();
  const by = (proxy: 'none' | 'environment', passwords = {}) => ports.withRoute({settings: {proxy}, passwords});
  expect(by('none').streams).toBe(by('none').streams);
  expect(by('none').withRoute({settings: {proxy: 'none'}, passwords: {}}).http).toBe(by('none').http);
  expect(by('environment').streams).not.toBe(by('none').streams);
  expect(by('none', {'http://proxy': 'a'}).streams).not.toBe(by('none', {'http://proxy': 'b'}).streams);
  expect(by('none').route.settings).toEqual({proxy: 'none'});
  expect(ports.route.settings).toEqual({});
});

test('calls are told apart, whichever way they take', async () => {
  const ports = await temporaryPorts();
  const seen: number[] = [];
  const report = (event: CallEvent) => void (event.type === 'call-started' && seen.push(event.call));
  for (const proxy of ['none', 'environment', 'none'] as const) {
    const {http} = ports.withRoute({settings: {proxy}, passwords: {}});
    await http.send({method: 'GET', url: new URL(await closedOrigin())}, {signal: noSignal, report}).catch(() => {});
  }
  expect(new Set(seen).size).toBe(3);
});

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
