import {expect, test} from 'vitest';
import {describeLayers} from '../../../src/command-line/output/describe-outcome.ts';
import type {Outcome} from '../../../src/domain/finding.ts';

const failing = (title: string, remedy: string): Outcome => ({
  ...{id: title, title, verdict: 'fail', saw: '', sentence: `Nothing listens at ${title}.`, remedy, ms: 1},
  ...{layer: 'network', explain: 'network-refused'},
});

test('what to do about several failures in a row is said once, after the last of them', () => {
  const again = 'Start it again.';
  const outcomes = [
    failing('one', again),
    failing('two', again),
    failing('three', 'Ask for it.'),
    failing('four', again),
  ];
  expect(describeLayers(outcomes, {LANG: 'C.UTF-8'}).join('\n').split('\n')).toEqual([
    'Network',
    '  ✖ one: Nothing listens at one.',
    '  ✖ two: Nothing listens at two.',
    '      Start it again.',
    '      More: npx setup explain network-refused',
    '  ✖ three: Nothing listens at three.',
    '      Ask for it.',
    '      More: npx setup explain network-refused',
    '  ✖ four: Nothing listens at four.',
    '      Start it again.',
    '      More: npx setup explain network-refused',
  ]);
});

test('lines to copy begin where a here-document can end', () => {
  const remedy = "Apply it.\n\nkubectl apply -f - <<'EOF'\nkind: Role\nEOF";
  expect(
    describeLayers([failing('one', remedy)], {LANG: 'C.UTF-8'})
      .join('\n')
      .split('\n'),
  ).toEqual([
    'Network',
    '  ✖ one: Nothing listens at one.',
    '      Apply it.',
    '',
    "kubectl apply -f - <<'EOF'",
    'kind: Role',
    'EOF',
    '      More: npx setup explain network-refused',
  ]);
});

test('a layer without a fault counts what was skipped beside what passed', () => {
  const passed = {id: 'a', title: 'a', verdict: 'pass', saw: 'fine', ms: 1, layer: 'network'} as const;
  const skipped = {
    id: 'b',
    title: 'b',
    verdict: 'skipped',
    saw: 'skipped: no proxy is set',
    ms: 1,
    layer: 'network',
  } as const;
  expect(describeLayers([passed, skipped], {LANG: 'C.UTF-8'})).toEqual(['✔ Network 1 passed, 1 skipped']);
  expect(describeLayers([passed], {LANG: 'C.UTF-8'})).toEqual(['✔ Network 1']);
});
