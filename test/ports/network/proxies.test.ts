import {describe, expect, test} from 'vitest';
import {
  isException,
  isGivenAddresses,
  type NetworkProxy,
  parseProxy,
  proxiesIn,
  proxiesToSave,
  proxyFor,
  proxyToSave,
  showProxy,
} from '../../../src/ports/network/proxies.ts';

describe('the address of a proxy', () => {
  test.each<[string, NetworkProxy]>([
    ['http://proxy.acme:8080', {scheme: 'http', host: 'proxy.acme', port: 8080}],
    ['HTTP://Proxy.ACME:8080/', {scheme: 'http', host: 'proxy.acme', port: 8080}],
    ['proxy.acme:3128', {scheme: 'http', host: 'proxy.acme', port: 3128}],
    ['proxy.acme', {scheme: 'http', host: 'proxy.acme', port: 1080}],
    ['http://proxy.acme', {scheme: 'http', host: 'proxy.acme', port: 1080}],
    ['http://proxy.acme:80', {scheme: 'http', host: 'proxy.acme', port: 80}],
    ['https://proxy.acme', {scheme: 'https', host: 'proxy.acme', port: 443}],
    ['https://proxy.acme:8443', {scheme: 'https', host: 'proxy.acme', port: 8443}],
    ['socks://proxy.acme', {scheme: 'socks5', host: 'proxy.acme', port: 1080}],
    ['socks4://10.0.0.1:1', {scheme: 'socks4', host: '10.0.0.1', port: 1}],
    ['socks4a://proxy.acme', {scheme: 'socks4a', host: 'proxy.acme', port: 1080}],
    ['socks5://proxy.acme', {scheme: 'socks5', host: 'proxy.acme', port: 1080}],
    ['SOCKS5h://proxy.acme:9050', {scheme: 'socks5h', host: 'proxy.acme', port: 9050}],
    ['http://[fd00::1]:3128', {scheme: 'http', host: 'fd00::1', port: 3128}],
    ['[fd00::1]', {scheme: 'http', host: 'fd00::1', port: 1080}],
    ['  http://proxy.acme:1 \n', {scheme: 'http', host: 'proxy.acme', port: 1}],
    ['http://bücher.example:1', {scheme: 'http', host: 'xn--bcher-kva.example', port: 1}],
    ['http://ann:pw@proxy.acme:1', {scheme: 'http', host: 'proxy.acme', port: 1, username: 'ann', password: 'pw'}],
    ['ann:pw@proxy.acme:1', {scheme: 'http', host: 'proxy.acme', port: 1, username: 'ann', password: 'pw'}],
    ['http://ann@proxy.acme:1', {scheme: 'http', host: 'proxy.acme', port: 1, username: 'ann'}],
    ['http://:pw@proxy.acme:1', {scheme: 'http', host: 'proxy.acme', port: 1, password: 'pw'}],
    [
      'http://a%40b%3A:p%2Fw%25@proxy.acme:1',
      {scheme: 'http', host: 'proxy.acme', port: 1, username: 'a@b:', password: 'p/w%'},
    ],
    ['http://ann:p@w@proxy.acme:1', {scheme: 'http', host: 'proxy.acme', port: 1, username: 'ann', password: 'p@w'}],
    [
      'http://ann:100%ü@proxy.acme:1',
      {scheme: 'http', host: 'proxy.acme', port: 1, username: 'ann', password: '100%ü'},
    ],
  ])('%s', (value, expected) => expect(parseProxy(value, 'HTTPS_PROXY')).toEqual(expected));

  test.each([
    '://s3cret',
    'ftp://ann:s3cret@proxy.acme:21',
    'http://',
    'http://ann:s3cret@',
    'http://ann:s3cret@:8080',
    'http://ann:s3cret@proxy acme:1',
    'http://ann:s3cret@proxy.acme:99999',
    'http://ann:s3cret@proxy.acme:port',
    'http://[fd00::s3cret]:1',
    'http://ann:1/s3cret@proxy.acme:8080',
    'http://ann:1#s3cret@proxy.acme:8080',
    'http://ann:1?s3cret@proxy.acme:8080',
  ])('%s is none, and is not repeated', value => {
    const caught = (() => {
      try {
        return parseProxy(value, 'HTTPS_PROXY');
      } catch (error) {
        return error;
      }
    })();
    expect(caught).toMatchObject({code: 'input-invalid', message: 'HTTPS_PROXY is not a valid proxy address.'});
    expect(JSON.stringify([String(caught), caught])).not.toContain('s3cret');
  });

  test('that holds a slash in its password gets told how to write it', () => {
    expect(() => parseProxy('http://ann:1/x@proxy.acme', '--proxy')).toThrow(
      expect.objectContaining({remedy: expect.stringContaining('%2F')}),
    );
  });

  test.each(['http://a%40b@proxy.acme:8080', 'socks5h://[fd00::1]:1080', 'https://proxy.acme:443'])(
    '%s is shown as it was, and reads back',
    value => expect(showProxy(parseProxy(value, ''))).toBe(value),
  );

  test('is shown without its password', () => {
    expect(showProxy(parseProxy('http://ann:s3cret@proxy.acme:1', ''))).toBe('http://ann@proxy.acme:1');
  });
});

describe('the variables', () => {
  const all = {http_proxy: 'a', HTTP_PROXY: 'b', all_proxy: 'c', ALL_PROXY: 'd'};
  test.each([
    [all, 'http_proxy'],
    [{...all, http_proxy: ''}, 'HTTP_PROXY'],
    [{...all, http_proxy: '', HTTP_PROXY: undefined}, 'all_proxy'],
    [{ALL_PROXY: 'd', https_proxy: 'x'}, 'ALL_PROXY'],
  ])('%o: %s counts for http', (env, name) => expect(proxiesIn(env).http?.name).toBe(name));

  test.each([
    [{...all, HTTPS_PROXY: 'x'}, 'HTTPS_PROXY'],
    [{...all, HTTPS_PROXY: 'x', https_proxy: 'y'}, 'https_proxy'],
    [all, 'all_proxy'],
    [{http_proxy: 'a', HTTPS_PROXY: ''}, undefined],
  ])('%o: %s counts for https', (env, name) => expect(proxiesIn(env).https?.name).toBe(name));

  test.each([
    [{no_proxy: 'a', NO_PROXY: 'b'}, 'a'],
    [{no_proxy: '', NO_PROXY: 'b'}, 'b'],
    [{}, undefined],
  ])('%o: %s goes past', (env, except) => expect(proxiesIn(env).except).toBe(except));
});

describe('the proxy of an address', () => {
  const api = new URL('https://api.acme.example/');
  const env = {https_proxy: 'http://ann:pw@from.env:1', NO_PROXY: 'observer.acme.example'};
  const kept = {https: 'http://ann@kept:1', except: 'idp.acme.example'};

  test.each([undefined, 'environment'] as const)('is what the environment says where %s is kept', proxy => {
    const settings = proxy === undefined ? {} : {proxy};
    expect(proxyFor(api, settings, {}, env)).toMatchObject({host: 'from.env', password: 'pw'});
    expect(proxyFor(new URL('https://observer.acme.example'), settings, {}, env)).toBeUndefined();
    expect(proxyFor(new URL('http://api.acme.example'), settings, {}, env)).toBeUndefined();
  });

  test('is none where that is kept', () => {
    expect(proxyFor(api, {proxy: 'none'}, {}, env)).toBeUndefined();
  });

  test('is the kept one, with the password from its record, and past it goes what was kept as well', () => {
    const passwords = {'http://ann@kept:1': 'pw', 'http://ann@from.env:1': 'other'};
    expect(proxyFor(api, {proxy: kept}, passwords, env)).toEqual({
      ...{scheme: 'http', host: 'kept', port: 1},
      ...{username: 'ann', password: 'pw'},
    });
    expect(proxyFor(api, {proxy: kept}, {}, env)).not.toHaveProperty('password');
    expect(proxyFor(new URL('https://idp.acme.example'), {proxy: kept}, {}, env)).toBeUndefined();
    expect(proxyFor(new URL('https://observer.acme.example'), {proxy: kept}, {}, env)).toMatchObject({host: 'kept'});
    expect(proxyFor(new URL('http://api.acme.example'), {proxy: kept}, {}, env)).toBeUndefined();
  });

  test.each(['https://127.0.0.1:8443', 'https://[::1]', 'http://localhost', 'https://api.acme.localhost'])(
    '%s is none, whatever is said',
    address => {
      const url = new URL(address);
      expect(proxyFor(url, {}, {}, {all_proxy: 'proxy:1'})).toBeUndefined();
      expect(proxyFor(url, {proxy: {http: 'http://p', https: 'http://p'}}, {}, {})).toBeUndefined();
    },
  );

  test('that cannot be read names its variable', () => {
    expect(() => proxyFor(api, {}, {}, {ALL_PROXY: 'ftp://x'})).toThrow('ALL_PROXY is not a valid proxy address.');
    expect(() => proxyFor(api, {proxy: {https: 'ftp://x'}}, {}, {})).toThrow('The saved proxy');
  });
});

describe('what is kept', () => {
  test('of the environment: each scheme, the exceptions, and the passwords apart', () => {
    const env = {http_proxy: 'a:1', https_proxy: 'https://ann:pw@b', no_proxy: 'x,y'};
    expect(proxiesToSave(env)).toEqual({
      proxies: {http: 'http://a:1', https: 'https://ann@b:443', except: 'x,y'},
      passwords: {'https://ann@b:443': 'pw'},
    });
    expect(proxiesToSave({https_proxy: 'b'})).toEqual({proxies: {https: 'http://b:1080'}, passwords: {}});
    expect(proxiesToSave({no_proxy: '*', http_proxy: ''})).toBeUndefined();
  });

  test('of one proxy for every address', () => {
    expect(proxyToSave('socks5h://ann:pw@a', '--proxy', {NO_PROXY: 'x'})).toEqual({
      proxies: {http: 'socks5h://ann@a:1080', https: 'socks5h://ann@a:1080', except: 'x'},
      passwords: {'socks5h://ann@a:1080': 'pw'},
    });
  });
});

test.each([
  ['socks4', true],
  ['socks5', true],
  ['socks4a', false],
  ['socks5h', false],
  ['http', false],
  ['https', false],
])('a proxy of %s is given addresses: %s', (scheme, is) => {
  expect(isGivenAddresses(`${scheme}:`)).toBe(is);
  expect(isGivenAddresses(`${scheme}://socks5@proxy.acme:1080`)).toBe(is);
});

const api = 'https://api.acme.example/';

test.each([
  [api, 'api.acme.example'],
  [api, 'API.Acme.Example'],
  ['https://API.acme.example', 'api.acme.example'],
  [api, 'acme.example'],
  [api, '.acme.example'],
  [api, '*.acme.example'],
  [api, 'example'],
  [api, '*'],
  [api, 'other.example,acme.example'],
  [api, ' other.example \t\n acme.example '],
  [api, ',,acme.example,'],
  [api, 'acme.example.'],
  ['https://api.acme.example./', 'acme.example'],
  [api, 'acme.example:443'],
  [api, '*:443'],
  ['http://api.acme.example', 'acme.example:80'],
  ['https://api.acme.example:8443', 'acme.example:8443'],
  ['https://10.1.2.3', '10.1.2.3'],
  ['https://10.1.2.3:8443', '10.1.2.3:8443'],
  ['https://10.1.2.3', '10.0.0.0/8'],
  ['https://10.1.2.3', '10.1.2.3/32'],
  ['https://10.1.2.3', '0.0.0.0/0'],
  ['https://[fd00::1]', 'fd00::1'],
  ['https://[fd00::1]', '[fd00::1]'],
  ['https://[fd00::1]', 'FD00:0:0::1'],
  ['https://[fd00::1]:8443', '[fd00::1]:8443'],
  ['https://[fd00::1]', 'fd00::/8'],
  ['https://[fd00::1]', '[fd00::]/8'],
  ['https://[::ffff:10.1.2.3]', '10.0.0.0/8'],
])('%s goes past the proxy by %j', (url, list) => expect(isException(new URL(url), list)).toBe(true));

test.each([
  [api, ''],
  [api, ' , '],
  [api, '.'],
  [api, 'notacme.example'],
  [api, 'cme.example'],
  [api, 'api.acme'],
  [api, 'www.api.acme.example'],
  [api, 'acme.example:80'],
  [api, 'acme.example:https'],
  [api, '*acme.example'],
  [api, '10.0.0.0/8'],
  [api, 'https://api.acme.example'],
  ['https://10.1.2.3', '2.3'],
  ['https://10.1.2.3', '.3'],
  ['https://10.1.2.3', '10.1.2.4'],
  ['https://10.1.2.3', '10.1.2.3:80'],
  ['https://10.1.2.3', '11.0.0.0/8'],
  ['https://10.1.2.3', '10.0.0.0/'],
  ['https://10.1.2.3', '10.0.0.0/33'],
  ['https://10.1.2.3', '10.0.0.0/-1'],
  ['https://10.1.2.3', '10.0.0.0/1e1'],
  ['https://10.1.2.3', '10.0.0.0/8/8'],
  ['https://10.1.2.3', '10/8'],
  ['https://10.1.2.3', 'fd00::/8'],
  ['https://[fd00::1]', 'fe00::/8'],
  ['https://[fd00::1]', 'fd00::/129'],
  ['https://[fd00::1]', 'fd00::1:443'],
  ['https://[fd00::1]', '10.0.0.0/8'],
])('%s does not by %j', (url, list) => expect(isException(new URL(url), list)).toBe(false));
