import {expect, test} from 'vitest';
import {ok, waiting} from '../../src/state/step.ts';

test('a row has its time where that is known', () => {
  expect(ok('key', 'Label', 'value')).toStrictEqual({key: 'key', status: 'ok', label: 'Label', value: 'value'});
  expect(ok('key', 'Label', 'value', 0)).toMatchObject({ms: 0});
  expect(waiting('key', 'Label', 5)).toEqual({key: 'key', status: 'waiting', label: 'Label', value: '', atMost: 5});
});
