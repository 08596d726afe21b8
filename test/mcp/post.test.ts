import {describe, expect, test} from 'vitest';
import {remedyText} from '../../src/errors/describe-error.ts';
import {errorCodes} from '../../src/errors/error-table.ts';
import {type ErrorCode, familyOf, SetupError} from '../../src/errors/errors.ts';
import {failureForAssistant, isRepeatable} from '../../src/mcp/post.ts';

const call = {method: 'tools/call', questions: [{id: '1', method: 'tools/call'}]};
const list = {method: 'tools/list', questions: [{id: '1', method: 'tools/list'}]};
const failure = (code: ErrorCode, about = {}) => new SetupError(code, 'It failed.', {about});
const outside = errorCodes.filter(
  code => ['network', 'platform', 'auth'].includes(familyOf(code)) && code !== 'platform-tool-failed',
);
const remedyIn = (...asked: Parameters<typeof failureForAssistant>) => remedyText(failureForAssistant(...asked));
const tryAgain = /try again|again in a/i;

describe('of a call that may change something', () => {
  test.each(outside)('nobody is told to try again: %s', code => {
    for (const about of [{}, {isUnsent: true} as const, {retryAfter: 5_000}]) {
      for (const isTaken of [false, true]) expect(remedyIn(failure(code, about), call, isTaken)).not.toMatch(tryAgain);
    }
  });

  test.each(['network-lost', 'network-reset', 'network-timeout', 'platform-error', 'platform-mcp-failed'] as const)(
    'and was sent, it is said that it may have run: %s',
    code => {
      expect(remedyIn(failure(code), call, false)).toBe(remedyText(failure('network-lost')));
      const unsent = failureForAssistant(failure(code, {isUnsent: true}), call, false);
      expect(unsent.message).toBe('It failed. The call was not sent, so nothing was carried out.');
      expect(remedyText(unsent)).not.toContain('may have');
    },
  );

  test('and was taken, it is said that it may have run, whatever comes after', () => {
    expect(remedyIn(failure('platform-no-such-endpoint'), call, true)).toContain('may have gone through');
    expect(remedyIn(failure('platform-no-such-endpoint'), call, false)).not.toContain('may have been');
  });

  test('and was refused for a while, it is said for how long', () => {
    expect(remedyIn(failure('platform-busy', {retryAfter: 90_000}), call, false)).toBe(
      'Wait 2 min, as the server asks. Check whether the call did anything before you repeat it.',
    );
  });

  test('and could not be sent as a renewal failed a moment ago, it is said when another one is tried', () => {
    const remedy = remedyIn(failure('network-failed', {isUnsent: true, retryAfter: 30_000}), call, false);
    expect(remedy).toMatch(/^Wait 30 s: until then, this program does not try again\. /);
    expect(remedyIn(failure('network-failed', {isUnsent: true}), call, false)).not.toContain('does not try again');
  });

  test('but needs a sign-in, what to do is said and no more', () => {
    const before = failure('auth-sign-in-required', {isUnsent: true});
    expect(failureForAssistant(before, call, false)).toBe(before);
  });
});

test('of a call that changes nothing, and of what nobody waits for, the usual is said', () => {
  for (const code of ['network-reset', 'platform-error', 'platform-busy'] as const) {
    const before = failure(code);
    expect(failureForAssistant(before, list, true)).toBe(before);
    expect(failureForAssistant(before, {method: 'tools/call', questions: []}, true)).toBe(before);
  }
  expect(remedyIn(failure('network-lost'), list, true)).toBe('Try again: this call changes nothing.');
});

test.each([
  ['initialize', true],
  ['tools/list', true],
  ['resources/templates/list', true],
  ['resources/subscribe', true],
  ['logging/setLevel', true],
  ['tasks/result', true],
  ['notifications/cancelled', true],
  ['tools/call', false],
  ['tasks/cancel', false],
  ['x/unknown', false],
  [undefined, false],
])('%s may be repeated: %s', (method, expected) => {
  expect(isRepeatable(method)).toBe(expected);
});
