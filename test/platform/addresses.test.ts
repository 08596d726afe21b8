import {expect, test} from 'vitest';
import {candidatesOf, type GivenAddresses, parseBaseDomain} from '../../src/platform/addresses.ts';
import {bundled, openchoreo} from '../../src/platform/platforms.ts';

test.each([
  ['acme.localhost', {name: 'acme.localhost'}],
  [' Acme.Example.COM ', {name: 'acme.example.com'}],
  ['acme.localhost:9080', {name: 'acme.localhost', port: 9080}],
  ['http://api.acme.localhost:8080/health', {name: 'acme.localhost', scheme: 'http', port: 8080}],
  ['https://idp.acme.example.com/', {name: 'acme.example.com', scheme: 'https', port: 443}],
  [
    'http://observer.acme.localhost:9999',
    {name: 'acme.localhost', scheme: 'http', observerUrl: 'http://observer.acme.localhost:9999'},
  ],
  [
    'http://observer.observability.acme.localhost:11087/mcp',
    {name: 'acme.localhost', scheme: 'http', observerUrl: 'http://observer.observability.acme.localhost:11087'},
  ],
  // A default port counts if it was typed.
  ['acme.localhost:80', {name: 'acme.localhost', port: 80}],
  ['https://acme.example.com:443', {name: 'acme.example.com', scheme: 'https', port: 443}],
  // A whole address implies its scheme's port. A base domain with a scheme leaves the port open.
  ['http://api.acme.localhost', {name: 'acme.localhost', scheme: 'http', port: 80}],
  ['http://acme.example.com', {name: 'acme.example.com', scheme: 'http'}],
  ['10.0.0.7.nip.io', {name: '10.0.0.7.nip.io'}],
])('%s', (text, expected) => {
  expect(parseBaseDomain(text, [bundled])).toEqual(expected);
});

test.each([
  '',
  '   ',
  'acme_corp!',
  'ftp://acme.example.com',
  'a b',
  'http://',
  '-acme.example.com',
  'https://user:pw@',
])('“%s” is refused', text => {
  expect(() => parseBaseDomain(text, [bundled])).toThrow(expect.objectContaining({code: 'input-invalid'}));
});

test('the labels are those of the platform', () => {
  expect(parseBaseDomain('http://thunder.openchoreo.localhost:8080', [openchoreo]).name).toBe('openchoreo.localhost');
});

const urls = (text: string, given: GivenAddresses = {}) =>
  candidatesOf(bundled, parseBaseDomain(text, [bundled]), given).map(({url}) => url);

test('a local name is on the local ports, without TLS', () => {
  expect(urls('acme.localhost')).toEqual([
    'http://api.acme.localhost:8080',
    'http://idp.acme.localhost:8080',
    'http://observer.acme.localhost:11080',
    'http://observer.observability.acme.localhost:11087',
  ]);
});

test('any other name is on https', () => {
  expect(urls('acme.example.com')).toEqual([
    'https://api.acme.example.com',
    'https://idp.acme.example.com',
    'https://observer.acme.example.com',
    'https://observer.observability.acme.example.com',
  ]);
});

test('a given port is the gateway’s', () => {
  expect(urls('acme.localhost:9080').slice(0, 2)).toEqual([
    'http://api.acme.localhost:9080',
    'http://idp.acme.localhost:9080',
  ]);
});

test('given addresses stand in the place of derived ones', () => {
  const given = {
    controlPlaneUrl: 'http://127.0.0.1:1',
    observerUrl: 'http://127.0.0.1:2',
    authUrl: 'http://127.0.0.1:3',
  };
  expect(urls('acme.localhost', given)).toEqual(['http://127.0.0.1:1', 'http://127.0.0.1:3', 'http://127.0.0.1:2']);
  expect(urls('acme.localhost', {observerUrl: 'none'})).toHaveLength(2);
});

test('a given observer tells the layout by its name', () => {
  const layout = (observerUrl: string) =>
    candidatesOf(bundled, {name: 'acme.localhost'}, {observerUrl}).find(({service}) => service === 'observer')?.layout;
  expect(layout('http://observer.observability.acme.localhost:4')).toBe('multi');
  expect(layout('http://observer.acme.localhost:4')).toBe('single');
});

test('http without a port is its own port first, then the local one; a whole address is that address', () => {
  const controlPlanes = (text: string) => urls(text).filter(url => url.includes('//api.'));
  expect(controlPlanes('http://acme.example.com')).toEqual([
    'http://api.acme.example.com',
    'http://api.acme.example.com:8080',
  ]);
  expect(controlPlanes('http://api.acme.localhost')).toEqual(['http://api.acme.localhost']);
  expect(controlPlanes('acme.localhost:80')).toEqual(['http://api.acme.localhost']);
});

test('the address of an observer is taken with its port', () => {
  const observers = urls('http://observer.acme.localhost:9999').filter(url => url.includes('//observer.'));
  expect(observers).toEqual(['http://observer.acme.localhost:9999']);
});
