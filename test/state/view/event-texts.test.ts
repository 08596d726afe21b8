import {expect, test} from 'vitest';
import {toLine, toRow} from '../../../src/state/view/progress.ts';
import {settings} from '../../support/states.ts';

test('a warning is a line', () => {
  const warning = {type: 'warning', message: 'careful'} as const;
  expect([toLine(warning, {place: {home: ''}}), toRow(warning, settings)]).toEqual(['Warning: careful', undefined]);
});

test.each([
  'call-started',
  'call-answered',
  'call-failed',
  'check-started',
  'check-finished',
  'file-planned',
  'token-revoked',
])('%s is shown otherwise, or not at all', type => {
  expect([toLine({type} as never, {place: {home: ''}}), toRow({type} as never, settings)]).toEqual([
    undefined,
    undefined,
  ]);
});

test.each(['answered', 'learned', 'went-back', 'toString'])('%s is no event of a flow', type => {
  expect(toLine({type} as never, {place: {home: ''}})).toBeUndefined();
});
