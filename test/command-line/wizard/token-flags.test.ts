import {describe, expect, test} from 'vitest';
import {asksIn} from '../../../src/command-line/wizard/token-flags.ts';

describe('the level of a sign-in', () => {
  test('is what the flags say', () => {
    expect(asksIn({'acr-values': ' gold silver ', 'max-age': '0'})).toEqual({
      asks: {acrValues: 'gold silver', maxAge: 0},
    });
    expect(asksIn({'max-age': '300'})).toEqual({asks: {maxAge: 300}});
  });

  test.each([
    ['acr-values', ''],
    ['acr-values', 'a"b'],
    ['max-age', ''],
    ['max-age', '-1'],
    ['max-age', '5m'],
  ])('is not --%s %j', (flag, value) => {
    expect(() => asksIn({[flag]: value})).toThrow(
      expect.objectContaining({code: 'input-invalid', message: expect.stringContaining(`--${flag}`)}),
    );
  });
});
