import {describe, expect, test} from 'vitest';
import {sandboxChoices} from '../../../src/command-line/sandbox/sandbox-options.ts';

describe('what a sandbox is to be', () => {
  test('is nothing that nobody has asked for', () => {
    expect(sandboxChoices({})).toEqual({});
  });

  test('is how its tokens live', () => {
    const flags = {'token-life': '5', 'refresh-tokens': 'rotating', 'sign-in-life': '3600'};
    const asked = {accessTokenLifetime: 5, refreshTokens: 'rotating', signInLifetime: 3600};
    expect(sandboxChoices(flags)).toEqual(asked);
  });

  test.each([
    ['token-life', '0', '--token-life takes a number of seconds (1 or more), not 0.'],
    ['sign-in-life', '1h', '--sign-in-life takes a number of seconds (1 or more), not 1h.'],
    ['refresh-tokens', 'twice', '--refresh-tokens takes rotating, reusable, none, not twice.'],
    ['extras', 'revocation,coffee', '--extras takes revocation, device, not coffee.'],
  ])('is named where it is not known: --%s %s', (flag, value, message) => {
    expect(() => sandboxChoices({[flag]: value})).toThrow(message);
  });
});
