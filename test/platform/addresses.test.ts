import {describe, expect, test} from 'vitest';
import {
  baseDomainOf,
  candidatesOf,
  companyFileUrlsOf,
  type GivenAddresses,
  identityProviderBeside,
  parseBaseDomain,
} from '../../src/platform/addresses.ts';
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

describe('an address with a user or a password', () => {
  test.each(['http://ann@acme.example.com', 'http://:pw@acme.example.com', 'ann:pw@acme.example.com'])('%s', text => {
    expect(() => parseBaseDomain(text, [bundled])).toThrow('Leave the username and password out of the address.');
  });
});

test('what is no base domain is shown without control characters, and not at any length', () => {
  const refusal = (text: string) => {
    try {
      parseBaseDomain(text, [bundled]);
    } catch (error) {
      return error as {message: string; remedy: object};
    }
    return expect.fail('It is accepted.');
  };
  expect(refusal('  a\u0007 b  ').message).toBe(
    '“a  b” is not a base domain. A base domain looks like acme.example.com.',
  );
  expect(refusal('ä'.repeat(500)).message).toHaveLength(
    100 + '“” is not a base domain. A base domain looks like acme.example.com.'.length,
  );
  expect(refusal('127.0.0.1').remedy).toEqual({
    do: 'If the platform has no domain name, enter the addresses of its services instead.',
    flag: 'Pass them with --control-plane-url, --observer-url and --auth-url.',
  });
  expect(() => parseBaseDomain('ftp://acme.example.com', [bundled])).toThrow('is not a base domain');
  expect(() => parseBaseDomain('acme.example.com/see?x=ftp://y', [bundled])).not.toThrow();
});

test('the base domain of a control plane is the rest of its name, or its bare host', () => {
  expect(baseDomainOf('http://api.acme.localhost:8080', [bundled])).toEqual({
    name: 'acme.localhost',
    scheme: 'http',
    port: 8080,
  });
  expect(baseDomainOf('http://10.0.0.1:8080', [bundled])).toEqual({name: '10.0.0.1'});
});

test('a company file is at the gateway’s ports of the base domain itself, each place once', () => {
  const places = (text: string) =>
    companyFileUrlsOf([bundled, openchoreo], parseBaseDomain(text, [bundled])).map(String);
  const path = '/.well-known/platform-setup.json';
  expect(places('acme.example.com')).toEqual([`https://acme.example.com${path}`]);
  expect(places('acme.localhost')).toEqual([`http://acme.localhost:8080${path}`]);
  expect(places('acme.localhost:9080')).toEqual([`http://acme.localhost:9080${path}`]);
  expect(companyFileUrlsOf([bundled], {name: '10.0.0.1'})).toEqual([]);
});

test('an identity provider that nobody names is beside the control plane', () => {
  const beside = (name: string, controlPlaneUrl: string) => identityProviderBeside(bundled, {name}, controlPlaneUrl);
  expect(beside('acme.localhost', 'http://api.acme.localhost:8080')).toBe('http://idp.acme.localhost:8080');
  expect(beside('acme.example.com', 'https://api.acme.example.com')).toBe('https://idp.acme.example.com');
  expect(beside('10.0.0.1', 'http://10.0.0.1:8080')).toBeUndefined();
});

test('an observer is looked for in the layout that is wanted, and nowhere where there is no name', () => {
  const observers = (layout: 'auto' | 'single' | 'multi', name = 'acme.localhost') =>
    candidatesOf(bundled, {name}, {}, layout).filter(({service}) => service === 'observer');
  expect(observers('auto').map(one => one.layout)).toEqual(['single', 'multi']);
  expect(observers('single').map(one => one.layout)).toEqual(['single']);
  expect(observers('multi').map(one => one.layout)).toEqual(['multi']);
  expect(observers('auto', '10.0.0.1')).toEqual([]);
  const given = candidatesOf(
    bundled,
    {name: 'acme.localhost'},
    {observerUrl: 'http://observer.acme.localhost'},
    'multi',
  );
  expect(given.find(({service}) => service === 'observer')?.layout).toBe('multi');
});
