import {expect, test} from 'vitest';
import {readCliValues} from '../../../src/flows/own-cli/cli-file.ts';

const nothing = {controlplanes: [], credentials: [], contexts: []};

test('what the lists of the file hold is read', () => {
  const text = 'currentContext: a\ncontrolplanes: [{name: c}]\ncredentials: [{name: s}]\ncontexts: [{name: a}]\n';
  expect(readCliValues(text)).toEqual({
    currentContext: 'a',
    controlplanes: [{name: 'c'}],
    credentials: [{name: 's'}],
    contexts: [{name: 'a'}],
  });
});

test.each([
  '',
  'text',
  'null',
  '- a',
  'currentContext: ""',
  'currentContext: 1',
  'contexts: none',
  'contexts: {name: a}',
])('a file like %j holds nothing', text => {
  expect(readCliValues(text)).toEqual(nothing);
});

test('what is no item is left out', () => {
  expect(readCliValues('contexts: [a, null, [b], {name: c}]')).toEqual({...nothing, contexts: [{name: 'c'}]});
});

test('a file that is not YAML is none', () => {
  expect(readCliValues('currentContext: [')).toBeUndefined();
});
