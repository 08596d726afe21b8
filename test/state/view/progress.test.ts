import {expect, test} from 'vitest';
import {progressRows} from '../../../src/state/view/progress.ts';
import {at, having as telling} from '../../support/states.ts';

const checked = {type: 'health-checked', service: 'observer', url: 'http://observer', ms: 3} as const;

test('what was told takes the place of what was to come', () => {
  const rows = progressRows(telling(at.check, checked), 'check');
  expect(rows.map(({key, status}) => [key, status])).toEqual([
    ['health control-plane', 'waiting'],
    ['health observer', 'ok'],
    ['server control-plane', 'waiting'],
    ['server observability', 'waiting'],
  ]);
});

test('an event without a row has none', () => {
  const rows = progressRows(telling(at['find-deployment'], {type: 'warning', message: 'careful'}), 'find-deployment');
  expect(rows).toEqual([]);
});

test('what the step before has told is not shown', () => {
  const state = {...telling(at.check, checked), progressOf: 'obtain-token'} as const;
  expect(progressRows(state, 'check').every(({status}) => status === 'waiting')).toBe(true);
  expect(progressRows({...state, progressOf: 'check'}, 'check').some(({status}) => status === 'ok')).toBe(true);
});

test('a question has the rows of what was told before it alone', () => {
  expect(progressRows(at.deployment, 'deployment')).toEqual([]);
});
