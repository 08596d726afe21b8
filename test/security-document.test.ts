import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8');
const rows = [...text.matchAll(/^\| (\d+) \|(.*)\|$/gm)].map(([, number, rest = '']) => ({
  number: Number(number),
  tests: [...(rest.split('|').at(-1) ?? '').matchAll(/`([\w/.-]+\.test\.tsx?)`/g)].map(([, file]) => file ?? ''),
}));

test('every requirement is there once, with a test that there is', () => {
  expect(rows.map(({number}) => number)).toEqual(Array.from({length: 54}, (_, index) => index + 1));
  for (const {number, tests} of rows) {
    expect({number, count: tests.length}).not.toEqual({number, count: 0});
    for (const file of tests)
      expect({file, isThere: existsSync(join(root, 'test', file))}).toEqual({file, isThere: true});
  }
});
