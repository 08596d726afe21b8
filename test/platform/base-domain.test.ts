import {expect, test} from 'vitest';
import {parseBaseDomain} from '../../src/platform/base-domain.ts';
import {bundled} from '../../src/platform/bundled.ts';
import {openchoreo} from '../../src/platform/openchoreo.ts';

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
  // A port that is its scheme's own is one that somebody wrote.
  ['acme.localhost:80', {name: 'acme.localhost', port: 80}],
  ['https://acme.example.com:443', {name: 'acme.example.com', scheme: 'https', port: 443}],
  // A whole address has its scheme's port; a base domain with a scheme leaves it open.
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
