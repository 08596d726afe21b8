import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {changedJson, json, members} from '../support/answers.ts';
import type {Ending, Fault} from '../support/fault.ts';
import {idToken, withOurKey} from '../support/own-key.ts';

/** ID tokens belong to a person's sign-in. Renewals of this platform return none. */
const onlyAtSignIn = (means: Ending): Fault['but'] => ({
  setup: 'ok',
  renewal: 'ok',
  'browser sign-in': means,
  login: means,
});

const idTokens: readonly (readonly [name: string, answers: Wrap, Ending])[] = [
  ['signed by a key that is published', idToken(claims => claims), 'ok'],
  ['without a nonce', idToken(({nonce: _, ...claims}) => claims), 'ok'],
  ['with alg none', idToken(claims => claims, {header: {alg: 'none'}, by: 'nobody'}), 'auth-id-token-refused'],
  ['with a wrong signature', idToken(claims => claims, {by: 'foreign'}), 'auth-id-token-refused'],
  [
    'by a key that is not published',
    idToken(claims => claims, {header: {kid: 'other'}, by: 'foreign'}),
    'auth-id-token-refused',
  ],
  ['with HS256', idToken(claims => claims, {header: {alg: 'HS256'}, by: 'secret'}), 'auth-id-token-refused'],
  ['with another nonce', idToken(claims => ({...claims, nonce: 'another'})), 'auth-id-token-refused'],
  ['for another client', idToken(claims => ({...claims, aud: 'another'})), 'auth-id-token-refused'],
  [
    'for two clients without a party',
    idToken(claims => ({...claims, aud: [claims.aud, 'another']})),
    'auth-id-token-refused',
  ],
  ['for another party', idToken(claims => ({...claims, aud: [claims.aud, 'x'], azp: 'x'})), 'auth-id-token-refused'],
  ['of another issuer', idToken(claims => ({...claims, iss: 'http://elsewhere.example'})), 'auth-id-token-refused'],
  ['without a subject', idToken(({sub: _, ...claims}) => claims), 'auth-id-token-refused'],
  ['that ended long ago', idToken(claims => ({...claims, exp: 1_000, iat: 900})), 'auth-clock'],
  ['with an end that is a text', idToken(claims => ({...claims, exp: 'soon'})), 'auth-id-token-refused'],
  [
    'that is a number',
    changedJson(value => ({...value, ...(value.id_token === undefined ? {} : {id_token: 5})})),
    'platform-invalid-answer',
  ],
  [
    'that is no JWT',
    changedJson(value => ({...value, ...(value.id_token === undefined ? {} : {id_token: 'a.b.c'})})),
    'auth-id-token-refused',
  ],
];

const sets: readonly (readonly [name: string, answers: Wrap, Ending])[] = [
  ['no access token', members({access_token: undefined}), 'platform-invalid-answer'],
  ['an access token that is a number', members({access_token: 5}), 'platform-invalid-answer'],
  ['an access token that is empty', members({access_token: ''}), 'platform-invalid-answer'],
  ['an access token with a line break', members({access_token: 'a\r\nX-Injected: yes'}), 'platform-invalid-answer'],
  ['an access token with an escape sequence', members({access_token: 'a\u001b[31mb'}), 'platform-invalid-answer'],
  ['a refresh token with a C1 control', members({refresh_token: 'a\u009bb'}), 'platform-invalid-answer'],
  ['no type', members({token_type: undefined}), 'platform-invalid-answer'],
  ['the type mac', members({token_type: 'mac'}), 'platform-invalid-answer'],
  ['the type DPoP', members({token_type: 'DPoP'}), 'auth-dpop-required'],
  ['a life that is negative', members({expires_in: -5}), 'platform-invalid-answer'],
  ['a life that is no number', members({expires_in: 'NaN'}), 'platform-invalid-answer'],
  ['a life that is null', members({expires_in: null}), 'platform-invalid-answer'],
  ['a life beyond every date', members({expires_in: 1e300}), 'ok'],
  ['a life that is a text', members({expires_in: '3600'}), 'ok'],
  ['no life', members({expires_in: undefined}), 'ok'],
  ['a refresh token that is a number', members({refresh_token: 5}), 'platform-invalid-answer'],
  ['a scope that is a list', members({scope: ['a']}), 'platform-invalid-answer'],
];

/** A refusal of a renewal that does not say that the sign-in has ended means that it probably has. */
const probablyEnded: Fault['but'] = {renewal: 'auth-sign-in-required'};

const words: readonly (readonly [error: unknown, status: number, Ending, Fault['but']?])[] = [
  ['invalid_scope', 400, 'auth-scope-refused'],
  ['server_error', 500, 'platform-error'],
  ['server_error', 400, 'platform-error'],
  ['temporarily_unavailable', 503, 'platform-unhealthy'],
  ['slow_down', 400, 'platform-rejected', probablyEnded],
  ['who_knows', 400, 'platform-rejected', probablyEnded],
  ['', 400, 'platform-rejected', probablyEnded],
  [42, 400, 'platform-rejected', probablyEnded],
  [{code: 'auth-no-role'}, 400, 'platform-rejected', probablyEnded],
];

export const tokens: readonly Fault[] = [
  ...idTokens.map(
    ([name, answers, means]): Fault => ({
      ...{
        name: `ID token ${name}`,
        at: 'token',
        answers,
        also: {keys: withOurKey},
        means,
        but: onlyAtSignIn(means) ?? {},
      },
    }),
  ),
  ...sets.map(([name, answers, means]): Fault => ({name: `token: ${name}`, at: 'token', answers, means})),
  ...words.map(
    ([error, status, means, but = {}]): Fault => ({
      ...{name: `token: the error ${JSON.stringify(error)} with ${status}`, at: 'token', means, but},
      answers: json({error, error_description: 'Said the server'}, status),
    }),
  ),
];
