import {expect, test} from 'vitest';
import {showValue} from '../../../src/command-line/output/show-value.ts';

test.each([
  [
    'a list of objects',
    [
      {a: 1, b: 'x'},
      {a: 22, c: true},
    ],
    'A    B   C\n1    x\n22       true\n',
  ],
  ['the only list in an object', {total: 1, items: [{a: 'b'}]}, 'A\nb\n'],
  ['an empty list', {items: []}, 'Nothing\n'],
  ['a plain object', {name: 'x', count: 2}, 'name    x\ncount   2\n'],
  ['a cell of several lines', [{a: 'one\n  two'}], 'A\none two\n'],
  ['a long cell', [{a: 'x'.repeat(80)}], `A\n${'x'.repeat(80)}\n`],
  ['a name behind an ID', [{uid: 'u', kind: 'k', name: 'n'}], 'NAME   KIND   UID\nn      k      u\n'],
  ['anything deeper, as JSON', {a: {b: 1}}, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
  ['a text', 'x', '"x"\n'],
])('%s', async (_name, value, shown) => {
  expect(await showValue(value)).toBe(shown);
});

test('in a terminal it is as wide as that', async () => {
  const lines = (await showValue([{a: 'x'.repeat(80), b: 'y'}], 40)).trimEnd().split('\n');
  expect(lines.map(line => line.length)).toEqual([40, 40]);
  expect(lines[1]).toMatch(/^x+… {3}y$/);
});
