import {expect, test} from 'vitest';
import {withIsoTimes} from '../../../src/command-line/output/output.ts';

test('times are texts in ISO 8601, durations stay numbers, and what is unknown stays away', () => {
  expect(withIsoTimes({type: 'device-code', until: 0, ms: 12, expiresAt: undefined})).toEqual({
    type: 'device-code',
    until: '1970-01-01T00:00:00.000Z',
    ms: 12,
    expiresAt: undefined,
  });
});
