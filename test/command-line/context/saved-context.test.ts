import {expect, test} from 'vitest';
import {savedContext} from '../../../src/command-line/context/saved-context.ts';
import {contextAt} from '../../support/context.ts';

const acme = contextAt('https://idp.acme.example');
const other = {...acme, name: 'other', baseDomain: 'other.example'};
const config = {version: 1, contexts: [acme, other]} as const;

test('flags that say nothing of it are about the current context, the first where none is', () => {
  expect(savedContext({}, {...config, currentContext: 'other'})).toBe(other);
  expect(savedContext({}, config)).toBe(acme);
  expect(savedContext({}, {...config, currentContext: 'gone'})).toBe(acme);
});

test('a name or a base domain says which', () => {
  expect(savedContext({context: 'other'}, config)).toBe(other);
  expect(savedContext({context: 'third'}, config)).toBeUndefined();
  expect(savedContext({'base-domain': 'other.example'}, config)).toBe(other);
  expect(savedContext({context: 'acme', 'base-domain': 'other.example'}, config)).toBeUndefined();
  expect(savedContext({'control-plane-url': 'https://api.third.example'}, config)).toBeUndefined();
});
