import stringWidth from 'string-width';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {charactersOf, lineOf, windowOfText} from '../../../src/screens/parts/text-field.tsx';

const look = {ellipsis: '…'};

/** Returns the text as drawn, with the character under the cursor in brackets. */
const shown = (text: string, cursor: number, columns: number, mask?: string) => {
  const {before, under, after} = windowOfText({text, cursor}, columns, mask ? {...look, mask} : look);
  return `${before}[${under}]${after}`;
};

test.each([
  ['all of it, where it fits', 'acme.example', 12, 20, 'acme.example[ ]'],
  ['to the last column', 'acme.example', 0, 13, '[a]cme.example'],
  ['a character of two columns under the cursor', 'a漢b', 1, 20, 'a[漢]b'],
  ['an emoji under the cursor', '👍b', 0, 20, '[👍]b'],
  ['an emoji of many units beside the cursor', 'a👩‍👩‍👧', 1, 20, 'a[👩‍👩‍👧]'],
  ['an accent of its own', 'e\u0301x', 0, 20, '[e\u0301]x'],
  ['nothing that does something to the terminal', 'a\u202Eb', 3, 20, 'ab[ ]'],
  ['what is before the end', 'abcdefghijklmnopqrst', 20, 10, '…opqrst[ ]'],
  ['what is behind the beginning', 'abcdefghijklmnopqrst', 0, 10, '[a]bcdefgh…'],
  ['both sides of the middle', 'abcdefghijklmnopqrst', 10, 10, '…efghij[k]l…'],
])('shows %s', (_name, text, cursor, columns, expected) => {
  expect(shown(text, cursor, columns)).toBe(expected);
});

test('a secret shows how many characters it has, and none of them', () => {
  expect(shown('päss👩‍👩‍👧', 4, 20, '•')).toBe('••••[•]');
});

describe.each([
  ['ASCII', 'https://idp.acme.example/authorize?state=abc&'.repeat(2_200)],
  ['wide signs', '漢字かな交じり文'.repeat(12_000)],
  ['emoji of many units', '👩‍👩‍👧 👍🏽 🇨🇭 '.repeat(5_000)],
  ['accents of their own', 'e\u0301o\u0308'.repeat(25_000)],
])('100 kB of %s', (_name, text) => {
  const near = charactersOf(text.slice(0, 2_000));
  test.each([5, 12, 35, 75])('is one row of %i columns at each place, with the cursor in it', columns => {
    const {length: end} = near.slice(0, 60).join('');
    const starts = [...Array(60).keys()].map(count => near.slice(0, count).join('').length);
    for (const cursor of [...starts, end, text.length]) {
      const {before, under, after} = windowOfText({text, cursor}, columns, look);
      const row = before + under + after;
      expect(stringWidth(row), `at ${cursor}: ${row}`).toBeLessThanOrEqual(columns);
      expect(row).not.toMatch(/\p{Cs}|\n/u);
      expect(charactersOf(under)).toHaveLength(1);
      const [real = ' '] = charactersOf(text.slice(cursor, cursor + 100));
      expect(under).toBe(real);
    }
  });

  test('looks only at what is near the cursor', () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    onTestFinished(() => segment.mockRestore());
    windowOfText(lineOf(text), 75, look);
    const lengths = segment.mock.calls.map(([part]) => part.length);
    expect(lengths.length).toBeGreaterThan(0);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(10_000);
  });
});

test('a step of the cursor moves most of the row not at all', () => {
  const text = 'abcdefghij'.repeat(20);
  const rows = Array.from({length: 100}, (_, at) => {
    const {before, under, after} = windowOfText({text, cursor: 50 + at}, 40, look);
    return before + under + after;
  });
  expect(new Set(rows).size).toBeLessThan(20);
});
