import * as library from 'openid-client';
import {describe, expect, test} from 'vitest';
import {type ErrorCode, SetupError} from '../../../src/errors/errors.ts';
import type {ClientAuthentication} from '../../../src/flows/sign-in/client-authentication.ts';
import {statusOf, translate} from '../../../src/flows/sign-in/oauth-errors.ts';
import {standard} from '../../../src/identity-providers/catalogue/standard.ts';
import {worded} from '../../support/worded.ts';

const issuer = 'https://idp.acme.example';

/** The ways in which a client authenticates, or does not. */
const ways = {
  none: {method: 'none'},
  post: {method: 'client_secret_post', secret: 'canary'},
  basic: {method: 'client_secret_basic', secret: 'canary'},
} as const satisfies Record<string, ClientAuthentication>;

const translated = (error: unknown, way: keyof typeof ways = 'none', skew?: number) =>
  translate(
    error,
    {issuer, clientId: 'client', authentication: ways[way], provider: standard, at: 'token', skew},
    library,
  );

/** Returns an error answer of a token endpoint. */
const answer = (error: string, {words, status = 400}: {words?: string; status?: number} = {}) => {
  const cause = {error, ...(words === undefined ? {} : {error_description: words})};
  return new library.ResponseBodyError('It failed.', {cause, response: new Response('', {status})});
};

/** Returns an error with which the browser comes back. */
const authorization = (error: string, words = '') =>
  new library.AuthorizationResponseError('It failed.', {
    cause: new URLSearchParams({error, ...(words === '' ? {} : {error_description: words})}),
  });

const challenge = (...schemes: readonly Lowercase<string>[]) =>
  new library.WWWAuthenticateChallengeError('It failed.', {
    cause: schemes.map(scheme => ({scheme, parameters: {}})),
    response: new Response('', {status: 401}),
  });

/** Returns the library's error for an answer of this status that is not part of the protocol. */
const processing = (code: string, status?: number) =>
  Object.assign(
    new Error('It failed.', status === undefined ? {} : {cause: new Response('', {status})}),
    code === '' ? {} : {code: `OAUTH_${code}`},
  );

test.each<[string, Error, keyof typeof ways, ErrorCode, string]>([
  [
    'a grant',
    answer('invalid_grant', {words: 'gone'}),
    'none',
    'auth-grant-refused',
    ' refused the sign-in (invalid_grant: gone).',
  ],
  [
    'a client that has to prove itself, and did not',
    answer('invalid_client'),
    'none',
    'auth-client-confidential',
    ' doesn’t let client sign in without a secret (invalid_client).',
  ],
  [
    'a public client that may not have this grant',
    answer('unauthorized_client'),
    'none',
    'auth-grant-missing',
    ' does not allow client this grant type (unauthorized_client).',
  ],
  [
    'a client with a wrong secret',
    answer('invalid_client'),
    'post',
    'auth-client-refused',
    ' refused the client ID or the secret of client (invalid_client).',
  ],
  [
    'a service account that may not have this grant',
    answer('unauthorized_client'),
    'basic',
    'auth-service-account-off',
    ' doesn’t let client sign in as a service account (unauthorized_client).',
  ],
  [
    'a client that may not sign in so',
    answer('unauthorized_client', {words: 'Not by this authentication method'}),
    'basic',
    'auth-method-refused',
    ' does not let client sign in this way (unauthorized_client: Not by this authentication method).',
  ],
  [
    'a resource',
    answer('invalid_target'),
    'none',
    'auth-resource-refused',
    ' does not issue tokens for this resource (invalid_target).',
  ],
  [
    'anything else',
    answer('invalid_request'),
    'post',
    'platform-rejected',
    ' issued no token to client (invalid_request).',
  ],
  [
    'a request for a moment only',
    answer('temporarily_unavailable'),
    'none',
    'platform-error',
    ' issued no token to client (temporarily_unavailable).',
  ],
  [
    'a request of a server that is not well',
    answer('server_error', {status: 500}),
    'post',
    'platform-error',
    ' issued no token to client (server_error).',
  ],
  ['a person who declines', authorization('access_denied'), 'none', 'auth-declined', ' was declined.'],
  [
    'a policy that declines',
    authorization('access_denied', 'Not assigned'),
    'none',
    'auth-declined',
    ' was declined (access_denied: Not assigned).',
  ],
  [
    'a resource in the browser',
    authorization('invalid_target', 'Not here'),
    'none',
    'auth-resource-refused',
    ' does not issue tokens for this resource (invalid_target: Not here).',
  ],
  [
    'a sign-in in the browser',
    authorization('server_error'),
    'none',
    'auth-authorization-failed',
    ' ended the sign-in (server_error).',
  ],
])('what refuses %s is told apart', (_what, error, way, code, words) => {
  const failure = translated(error, way);
  expect(failure).toMatchObject({code, about: {url: issuer}, cause: error});
  expect(failure.message).toContain(words === '' ? issuer : `${issuer}${words}`);
  expect(failure.message).not.toContain('canary');
});

test('a client that renewed without a secret before is gone, or has one by now: nobody can tell which', () => {
  const asked = {issuer, clientId: 'client', authentication: ways.none, provider: standard, skew: undefined} as const;
  expect(translate(answer('invalid_client'), {...asked, at: 'renewal'}, library)).toMatchObject({
    code: 'auth-client-unknown',
    message: `${issuer} no longer has a client client, or it needs a secret now (invalid_client).`,
  });
});

test('words of a server are shown without what could steer a terminal', () => {
  expect(translated(answer('invalid_scope', {words: '\u001B[2Jno'}), 'post').message).not.toMatch(/\u001B/);
});

describe('who asks for a sign-in of their own', () => {
  test.each(['basic', 'bearer'] as const)('is the identity provider, which refuses a secret: %s', scheme => {
    const failure = translated(challenge('negotiate', scheme), 'basic');
    expect(failure).toMatchObject({
      code: 'auth-client-refused',
      message: `${issuer} refused the client ID or the secret of client.`,
    });
  });

  test.each([
    ['there was no secret to refuse', 'basic', 'none'],
    ['it is by another scheme', 'negotiate', 'basic'],
    ['it is by a scheme of a similar name', 'xbasic', 'basic'],
    ['it is by a scheme of a longer name', 'basicx', 'basic'],
  ] as const)('is a proxy where %s', (_why, scheme, way) => {
    expect(translated(challenge(scheme), way)).toMatchObject({
      code: 'platform-error',
      message: `Something in front of ${issuer} requires its own sign-in (401).`,
      about: {url: issuer},
    });
  });
});

test.each<[string, string, number | undefined, ErrorCode]>([
  ['text with 200 is another server', 'RESPONSE_IS_NOT_JSON', 200, 'platform-not-json'],
  ['text of unknown status is another server', 'RESPONSE_IS_NOT_JSON', undefined, 'platform-not-json'],
  ['text with 404 is another server', 'RESPONSE_IS_NOT_JSON', 404, 'platform-not-json'],
  ['a busy server’s page says nothing of it', 'RESPONSE_IS_NOT_JSON', 429, 'platform-busy'],
  ['a success without an answer is no identity provider’s', 'RESPONSE_IS_NOT_CONFORM', 202, 'platform-not-json'],
  ['another name is another identity provider', 'JSON_ATTRIBUTE_COMPARISON_FAILED', undefined, 'auth-issuer-mismatch'],
  ['a token of another time is the clock’s', 'JWT_TIMESTAMP_CHECK_FAILED', undefined, 'auth-clock'],
  ['a token for somebody else is not used', 'JWT_CLAIM_COMPARISON_FAILED', undefined, 'auth-id-token-refused'],
  ['what the protocol does not allow is named', 'INVALID_RESPONSE', undefined, 'platform-invalid-answer'],
  ['what nobody foresaw is a bug', '', undefined, 'bug'],
])('%s', (_what, code, status, expected) => {
  const error = processing(code, status);
  expect(translated(error)).toMatchObject({
    code: expected,
    about: {url: issuer},
    cause: error,
    message: expect.stringContaining(issuer),
  });
});

test('the status is that of the answer, or what one of our own errors says of it', () => {
  expect(statusOf(new SetupError('platform-error', 'No.', {about: {status: 502}}))).toBe(502);
  expect(statusOf(processing('RESPONSE_IS_NOT_CONFORM', 404))).toBe(404);
  expect(statusOf(processing('RESPONSE_IS_NOT_CONFORM'))).toBeUndefined();
  expect(statusOf('404')).toBeUndefined();
});

test.each([
  ['text that was thrown', 'What?'],
  ['an error with a number for a code', Object.assign(new Error('What?'), {code: 7})],
  ['an error of the system', Object.assign(new Error('What?'), {code: 'EPIPE'})],
])('%s is a bug', (_what, error) => {
  expect(translated(error).code).toBe('bug');
});

test('another name comes with the way out', () => {
  expect(worded(translated(processing('JSON_ATTRIBUTE_COMPARISON_FAILED')))).toMatchObject({
    about: {url: issuer, flag: 'auth-url'},
    remedy: expect.stringContaining('--auth-url'),
  });
});

test.each([
  [undefined, `The token from ${issuer} is not valid at the time of this computer’s clock.`],
  [4_999, `The token from ${issuer} is not valid at the time of this computer’s clock.`],
  [-4_999, `The token from ${issuer} is not valid at the time of this computer’s clock.`],
  [5_000, `This computer’s clock is 5 s fast, so the token from ${issuer} looks invalid.`],
  [-3_600_000, `This computer’s clock is 1 h slow, so the token from ${issuer} looks invalid.`],
])('a clock that is wrong by %s ms says so where that is worth it', (skew, words) => {
  const failure = translated(processing('JWT_TIMESTAMP_CHECK_FAILED'), 'none', skew);
  expect(failure.message).toBe(words);
});
