import {describe, expect, test} from 'vitest';
import {errorCodes} from '../../../src/errors/error-table.ts';
import {type ErrorCode, SetupError} from '../../../src/errors/errors.ts';
import {
  failureBefore,
  isOfThisNetwork,
  isOutcomeUnknown,
  isPassing,
  isRefusal,
  unkeepable,
} from '../../../src/flows/sign-in/refresh-request.ts';
import {SETUP} from '../../../src/setup-command.ts';
import {contextAt} from '../../support/context.ts';
import {worded} from '../../support/worded.ts';

const failing = (code: ErrorCode) => new SetupError(code, 'It failed.');
const codesThat = (is: (error: SetupError) => boolean) => errorCodes.filter(code => is(failing(code)));

describe('what a failed renewal means', () => {
  test('a sign-in is over only where what was sent is refused', () => {
    expect(codesThat(isRefusal).toSorted()).toEqual([
      'auth-client-confidential',
      'auth-client-disabled',
      'auth-client-refused',
      'auth-client-unknown',
      'auth-consent-required',
      'auth-grant-refused',
      'auth-id-token-refused',
      'auth-interaction-required',
      'auth-permission-missing',
      'auth-service-account-off',
    ]);
  });

  test('it may be had later where the network, the platform or the file was at fault', () => {
    const passing = codesThat(isPassing);
    expect(passing).toEqual(
      errorCodes.filter(code =>
        /^(network|platform)-|^local-(limit-reached|locked|write-failed)$|^auth-issuer-mismatch$/.test(code),
      ),
    );
    expect(passing).toContain('network-timeout');
  });

  test('an ID token that nothing shows to be genuine ends nothing: the keys that are kept may be old', () => {
    const unproven = failing('auth-id-token-refused').with({isUnproven: true});
    expect([isRefusal(unproven), isPassing(unproven)]).toEqual([false, true]);
  });

  test('nobody has to be left alone where a portal or a proxy has answered', () => {
    expect(codesThat(isOfThisNetwork).toSorted()).toEqual([
      ...['network-portal', 'network-proxy', 'network-proxy-denied', 'network-proxy-sign-in'],
    ]);
  });

  test('it may have been carried out where the connection ended without an answer, unless nothing was sent', () => {
    const unclear = ['network-failed', 'network-lost', 'network-reset', 'network-timeout'];
    expect(codesThat(isOutcomeUnknown).toSorted()).toEqual(unclear);
    expect(codesThat(error => isOutcomeUnknown(error.with({isUnsent: true})))).toEqual([]);
  });
});

describe('the failure of the last renewal', () => {
  const key = {issuer: 'https://idp.example', clientId: 'cli'};
  const failure = {code: 'platform-busy', message: 'Too many.', count: 1};

  test('is why it is not tried again yet, and says when it will be', () => {
    expect(worded(failureBefore({...key, failure, retryAt: 21_000}, 1_000, false, {name: 'acme'}))).toMatchObject({
      code: 'platform-busy',
      message: 'Too many.',
      remedy: `Wait 20 s: until then, this program does not try again. If the identity provider answers again before that, run ${SETUP} token --renew --context acme.`,
      about: {retryAfter: 20_000},
    });
  });

  test.each([
    ['nothing is kept', undefined],
    ['none failed', {...key, retryAt: 21_000}],
    ['its time is over', {...key, failure, retryAt: 1_000}],
    ['it has no time', {...key, failure}],
    ['another version knew its code', {...key, failure: {...failure, code: 'of-later'}, retryAt: 21_000}],
  ])('keeps nobody from trying where %s', (_why, kept) => {
    expect(failureBefore(kept, 1_000, false, {name: 'acme'})).toBeUndefined();
  });

  test('holds who asks for it only for as long as the identity provider has asked', () => {
    const asked = {...key, failure: {...failure, askedUntil: 11_000}, retryAt: 21_000};
    expect(worded(failureBefore(asked, 1_000, true, {name: 'acme'}))).toMatchObject({
      remedy: 'Wait 10 s: until then, this program does not try again.',
      about: {retryAfter: 10_000},
    });
    expect(worded(failureBefore(asked, 10_999, true, {name: 'acme'}))).toMatchObject({
      remedy: 'Wait a moment: until then, this program does not try again.',
    });
    expect(failureBefore(asked, 12_000, true, {name: 'acme'})).toBeUndefined();
    expect(failureBefore({...key, failure, retryAt: 21_000}, 1_000, true, {name: 'acme'})).toBeUndefined();
  });
});

describe('a renewal that was not begun', () => {
  const context = contextAt('https://idp.example');
  const unkept = (error: unknown) => unkeepable(context, '/home/credentials.json', error);

  test.each([
    ['a failed write', new SetupError('local-write-failed', 'The disk is full.'), 'The disk is full.'],
    ['an error', new TypeError('It is odd.'), 'It is odd.'],
    ['anything', 7, '7'],
  ])('because of %s says that, and that nothing was lost', (_what, error, reason) => {
    expect(unkept(error)).toMatchObject({
      code: 'local-write-failed',
      message: `Your sign-in to acme was not renewed, because the new tokens could not be saved: ${reason}`,
      cause: error,
      about: {path: '/home/credentials.json'},
    });
  });

  test('for another reason gives that', () => {
    const locked = failing('local-locked');
    expect(unkept(locked)).toBe(locked);
  });
});
