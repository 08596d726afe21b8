import {expect, test} from 'vitest';
import {parseBaseDomain} from '../../src/platform/base-domain.ts';
import {bundled} from '../../src/platform/bundled.ts';
import {candidatesOf, type GivenAddresses} from '../../src/platform/candidates.ts';

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
