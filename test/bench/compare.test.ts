import {expect, test} from 'vitest';
import {compare, formatComparison, isWorse} from '../../bench/compare.ts';
import type {Row, Table} from '../../bench/table.ts';

const row = (label: string, median: number, more: Partial<Row> = {}): Row => ({
  label,
  summary: {median, min: median, max: median},
  unit: 'ms',
  ...more,
});

const round = (...rows: readonly Row[]): Table => ({'Whole process (3 runs)': rows});

test('a figure is compared round by round, and a neighbour is left out', () => {
  const before = [
    round(row('node -e 0', 40, {isOther: true}), row('setup --version', 50)),
    round(row('setup --version', 100)),
  ];
  const now = [
    round(row('node -e 0', 80, {isOther: true}), row('setup --version', 60)),
    round(row('setup --version', 110)),
  ];
  expect(compare(before, now)).toEqual([
    {heading: 'Whole process (3 runs)', label: 'setup --version', unit: 'ms', before: 75, now: 85, ratios: [1.2, 1.1]},
  ]);
});

test('more calls a second are better, so their ratio is the other way round', () => {
  const [one] = compare([round(row('setup', 100, {unit: '/s'}))], [round(row('setup', 50, {unit: '/s'}))]);
  expect(one?.ratios).toEqual([2]);
});

test('a figure that only one build has is left out', () => {
  expect(compare([round()], [round(row('setup --version', 60))])).toEqual([]);
});

test.each([
  ['by a tenth in every round', [1.1, 1.12, 1.08, 1.1], true],
  ['in all rounds but one', [1.1, 1.12, 0.98, 1.1], true],
  ['in half of the rounds', [1.2, 1.3, 0.9, 0.8], false],
  ['by less than noise', [1.01, 1.02, 1.01, 1.02], false],
  ['not at all', [0.9, 0.8, 0.9, 0.95], false],
])('worse %s', (_, ratios, isMarked) => {
  expect(isWorse({ratios})).toBe(isMarked);
});

test('the text has both figures, the ratio with its spread, and a mark', () => {
  const one = {heading: 'Whole process (3 runs)', label: 'setup --version', unit: 'ms', before: 50, now: 60} as const;
  const text = formatComparison([
    {...one, ratios: [1.1, 1.2, 1.3]},
    {...one, label: 'setup token', ratios: [0.9, 1, 1.1]},
  ]);
  expect(text).toContain('\nWhole process\n  setup --version');
  expect(text).toMatch(/setup --version +50\.0 +60\.0 ms +× 1\.20 {2}1\.10 to 1\.30 {3}worse\n/);
  expect(text).toMatch(/setup token .* × 1\.00 {2}0\.90 to 1\.10\n/);
  expect(text).toContain('Worse by more than noise: 1.');
});
