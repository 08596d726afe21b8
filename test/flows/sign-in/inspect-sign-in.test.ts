import {expect, test} from 'vitest';
import {cancelled, type ErrorCode, SetupError} from '../../../src/errors/errors.ts';
import {inspectSignIn} from '../../../src/flows/sign-in/resume-sign-in.ts';
import {contextAt} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';

const context = contextAt('https://idp.acme.example');

/** Returns how a sign-in with these saved credentials stands, or one whose credentials fail in this way. */
const inspect = async (kept: object | Error) => {
  const ports = await temporaryPorts();
  const {issuer, clientId} = context;
  const get = async () => {
    if (kept instanceof Error) throw kept;
    return {issuer, clientId, ...kept};
  };
  return collect(inspectSignIn, context, {...ports, credentials: {...ports.credentials, get}});
};

const failure = (code: ErrorCode) => new SetupError(code, 'What happened.');

test('a sign-in that is good is alive', async () => {
  const {result} = await inspect({accessToken: 'access', expiresAt: 4_000_000_000_000, account: 'ann'});
  expect(result).toMatchObject({state: 'alive', token: {account: 'ann', expiresAt: 4_000_000_000_000}});
});

test('one that has ended says why, with its name and without', async () => {
  const {result, events} = await inspect({refused: {at: Date.now(), reason: 'invalid_grant'}});
  const reason = 'https://idp.acme.example refused to renew the sign-in.';
  expect(result).toEqual({state: 'ended', message: `You are signed out of acme: ${reason}`, reason});
  expect(events).toEqual([]);
});

test('one that nobody refused may be tried by a person, and is not by a look', async () => {
  const refused = {at: Date.now(), reason: 'Two attempts to renew the sign-in got no answer.', isUnanswered: true};
  const {result} = await inspect({refreshToken: 'refresh-0', refused});
  expect(result).toMatchObject({state: 'ended', mayBeTried: true, reason: expect.stringContaining('did not answer')});
});

test.each(['local-credentials-invalid', 'local-keychain-failed'] as const)(
  'one that cannot be read has ended: %s',
  async code => {
    const {result} = await inspect(failure(code));
    expect(result).toEqual({state: 'ended', message: 'What happened.', reason: 'What happened.'});
  },
);

test('one that cannot be renewed just now is kept, and that is said', async () => {
  const {result, events} = await inspect(failure('network-refused'));
  expect(result).toEqual({state: 'unknown', message: 'What happened.'});
  const message = 'Your sign-in could not be renewed right now. It is kept. What happened.';
  expect(events).toEqual([{type: 'warning', message}]);
});

test('one whose provider asks to be left alone is kept, with the time until then', async () => {
  const {result} = await inspect(new SetupError('platform-busy', 'Too many requests.', {about: {retryAfter: 13_000}}));
  expect(result).toMatchObject({state: 'unknown', message: 'Too many requests.', askedUntil: expect.any(Number)});
});

test('one whose file others can change is kept, with how that is mended', async () => {
  const error = new SetupError('local-open-to-others', 'Others can change it.', {remedy: 'Fix: chmod go-w f.'});
  const {result, events} = await inspect(error);
  expect(result).toEqual({state: 'unknown', message: 'Others can change it.', remedy: 'Fix: chmod go-w f.'});
  expect(events).toEqual([]);
});

test('one whose first refusal says nothing of its end has probably ended', async () => {
  const ports = await temporaryPorts();
  const refused = {at: Date.now(), reason: 'It may not refresh.', isUnclear: true} as const;
  let isFirst = true;
  const get = async () => {
    const {issuer, clientId} = context;
    if (!isFirst) return {issuer, clientId, refused};
    isFirst = false;
    throw failure('auth-grant-missing');
  };
  const {result} = await collect(inspectSignIn, context, {...ports, credentials: {...ports.credentials, get}});
  expect(result).toEqual({state: 'ended', isUnclear: true, message: 'What happened.', reason: 'What happened.'});
});

test.each([
  ['a stop', cancelled()],
  ['a bug', new TypeError('This is a bug.')],
])('%s is nothing that is known of a sign-in', async (_what, error) => {
  await expect(inspect(error)).rejects.toBe(error);
});
