import {expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import type {WantedToken} from '../../../src/domain/token-request.ts';
import type {Token} from '../../../src/domain/tokens.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {signedIn} from '../../../src/flows/sign-in/signed-in.ts';
import {standard} from '../../../src/identity-providers/catalogue/standard.ts';

const token: Token = {account: 'ann', fingerprint: 'ab', renewable: false, access: new Secret('access')};

/** Returns the outcome of a sign-in with these scopes at a provider that lists those. */
const outcome = (scopes: readonly string[], listed: readonly string[] | undefined, more: Partial<WantedToken> = {}) => {
  const told: FlowEvent[] = [];
  const metadata = {issuer: 'https://idp.example', scopes_supported: listed};
  const client = {
    provider: standard,
    configuration: {serverMetadata: () => metadata, clientMetadata: () => ({client_id: 'cli'})},
  } as never;
  const result = signedIn(token, {client, asked: {scopes}, wanted: {scopes, ...more}}, event => void told.push(event));
  return {result, warnings: told.map(event => (event.type === 'warning' ? event.message : ''))};
};

const listed = ['openid', 'offline_access'];

test('a refresh token that may come if it is asked for is worth another question', () => {
  expect(outcome(['openid'], listed)).toEqual({result: {token, mayAskOffline: true}, warnings: []});
});

test.each<[string, readonly string[], readonly string[] | undefined, Partial<WantedToken>]>([
  ['was asked for', ['openid', 'offline_access'], listed, {}],
  ['is not listed', ['openid'], ['openid'], {}],
  ['is listed nowhere', ['openid'], undefined, {}],
  ['was refused before', ['openid'], listed, {isWithoutOffline: true}],
])('a sign-in without one ends with its token, which is said, where it %s', (_why, scopes, supported, more) => {
  const {result, warnings} = outcome(scopes, supported, more);
  expect(result).toEqual({token});
  expect(warnings).toEqual([
    expect.stringMatching(/issued no refresh token, so you will have to sign in again .* for cli\.$/),
  ]);
});
