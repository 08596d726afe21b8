import {describe, expect, test} from 'vitest';
import {byName, type CliValues, contextIn, isSameServer, textIn} from '../../../src/flows/own-cli/cli-file.ts';

const values: CliValues = {
  controlplanes: [
    {name: 'main', url: 'http://api.acme.localhost'},
    {name: 'odd', url: 8080},
  ],
  credentials: [{name: 'mine', token: 'access-0'}],
  contexts: [
    {name: 'work', controlplane: 'main', credentials: 'mine'},
    {name: 'bare'},
    {name: 'odd', controlplane: 'odd', credentials: 'gone'},
  ],
};

describe('a context', () => {
  test('comes with what it names', () => {
    expect(contextIn(values, 'work')).toEqual({
      context: {name: 'work', controlplane: 'main', credentials: 'mine'},
      credentials: {name: 'mine', token: 'access-0'},
      url: 'http://api.acme.localhost',
    });
  });

  test.each(['bare', 'odd'])('comes without what is not there (%s)', name => {
    const found = contextIn(values, name);
    expect(Object.keys(found ?? {})).toEqual(['context']);
  });

  test.each(['gone', undefined])('that is not there is none (%s)', name => {
    expect(contextIn(values, name)).toBeUndefined();
  });
});

test('what has no name is not found by that', () => {
  const nameless = {url: 'http://api.acme.localhost'};
  expect(byName([nameless], undefined)).toBeUndefined();
  expect(byName([nameless, {name: 'a', first: true}, {name: 'a'}], 'a')).toEqual({name: 'a', first: true});
});

test.each([
  [{key: 'text'}, 'text'],
  [{key: ''}, undefined],
  [{key: 1}, undefined],
  [{}, undefined],
  [undefined, undefined],
])('the text in %j', (named, expected) => {
  expect(textIn(named, 'key')).toBe(expected);
});

test.each([
  ['http://api.acme.localhost', 'http://api.acme.localhost/', true],
  ['http://api.acme.localhost:80/one', 'http://API.acme.localhost/other', true],
  ['http://api.acme.localhost', 'https://api.acme.localhost', false],
  ['http://api.acme.localhost', 'http://api.other.localhost', false],
  ['no address', 'no address', true],
  ['no address', 'another', false],
  ['no address', 'http://api.acme.localhost', false],
])('whether %s and %s are one server: %s', (one, other, expected) => {
  expect(isSameServer(one, other)).toBe(expected);
});
