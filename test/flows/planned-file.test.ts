import {expect, test} from 'vitest';
import {diffOf} from '../../src/flows/planned-file.ts';

const lines = (...changed: readonly string[]) => ['a', 'b', 'c', ...changed, 'd', 'e', 'f', ''].join('\n');

test('a diff shows what changes with two lines around it, and no header', async () => {
  expect(await diffOf(lines('old'), lines('new'))).toBe([' b', ' c', '-old', '+new', ' d', ' e'].join('\n'));
});

test('changes far apart follow each other, and none is nothing', async () => {
  expect(await diffOf(lines(...'1234567'), lines(...'0234568'))).toBe(
    [' b', ' c', '-1', '+0', ' 2', ' 3', ' 5', ' 6', '-7', '+8', ' d', ' e'].join('\n'),
  );
  expect(await diffOf(lines(), lines())).toBe('');
});

test('of more lines than anybody reads it is said that they differ', async () => {
  const all = (letter: string) => Array.from({length: 1_500}, (_, index) => `${letter}${index}\n`).join('');
  expect(await diffOf(all('a'), all('b'))).toBe('… more than 2000 lines differ');
});
