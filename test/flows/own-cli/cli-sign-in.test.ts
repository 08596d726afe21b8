import {describe, expect, test} from 'vitest';
import {cliSignIn} from '../../../src/flows/own-cli/compose-cli.ts';

const NOW = 1_800_000_000_000;

/** Returns a token that expires in so many milliseconds, a whole number of seconds. */
const token = (ms: number) => {
  const parts = [{alg: 'none'}, {exp: (NOW + ms) / 1_000}];
  return `${parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.c2ln`;
};

const person = {token: token(0), refreshToken: token(1_000), authMethod: 'authorization_code'};
const account = {token: token(0), clientId: 'ci', clientSecret: 'shh'};

test.each([undefined, {}, {token: ''}, {token: 1}])('the CLI is signed out by %j', credentials => {
  expect(cliSignIn(credentials, NOW)).toBeUndefined();
});

describe('the CLI’s token', () => {
  test.each([
    [3_600_000, 3_540_000],
    [61_000, 1_000],
    [60_000, 0],
    [0, 0],
    [-3_600_000, 0],
  ])('that ends in %i ms is used for %i ms', (ms, left) => {
    const kept = token(ms);
    expect(cliSignIn({token: kept}, NOW)).toEqual({token: kept, left, endedAt: NOW + ms, renewal: 'none'});
  });

  test('that is no JWT has ended', () => {
    expect(cliSignIn({token: 'opaque'}, NOW)).toEqual({token: 'opaque', left: 0, renewal: 'none'});
  });
});

test.each([
  ['by the refresh token of a person', person, 'refresh-token'],
  ['by one that does not say when it ends', {...person, refreshToken: 'opaque'}, 'refresh-token'],
  ['not by one that has ended', {...person, refreshToken: token(0)}, 'refresh-token-ended'],
  [
    'not by one that has ended, even if there is a secret',
    {...account, ...person, refreshToken: token(-1_000)},
    'refresh-token-ended',
  ],
  ['not by one of another way to sign in', {...person, authMethod: 'pkce'}, 'none'],
  ['by the secret of a client', account, 'secret'],
  ['by the secret where there is no refresh token', {...account, authMethod: 'authorization_code'}, 'secret'],
  ['not by a secret without its client', {...account, clientId: ''}, 'none'],
  ['not by a client without its secret', {...account, clientSecret: ''}, 'none'],
] as const)('the CLI renews its token %s', (_, credentials, renewal) => {
  expect(cliSignIn(credentials, NOW)?.renewal).toBe(renewal);
});
