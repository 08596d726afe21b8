import type {ErrorCode} from '../../../src/errors/errors.ts';
import {reservedPort} from '../../e2e/support/ports.ts';
import {changedJson, members} from '../support/answers.ts';
import type {Fault} from '../support/fault.ts';

/** The outcome of a fault that affects only a person's sign-in. */
const onlyForPeople = (means: ErrorCode): NonNullable<Fault['but']> => ({
  ...{setup: 'ok', doctor: 'ok', renewal: 'ok', 'browser sign-in': means, login: means},
});

/** A port at which nothing listens. */
const closed = await reservedPort();

type Row = readonly [name: string, others: Readonly<Record<string, unknown>>, ErrorCode | 'ok', Fault['but']?];

const own = (value: unknown) => String(value);

const rows: readonly Row[] = [
  ['no issuer', {issuer: undefined}, 'platform-invalid-answer'],
  ['an issuer that is a number', {issuer: 7}, 'platform-invalid-answer'],
  ['an issuer that is no address', {issuer: 'the issuer'}, 'platform-invalid-answer'],
  ['an issuer elsewhere', {issuer: 'https://idp.elsewhere.example'}, 'auth-issuer-mismatch'],
  ['no token endpoint', {token_endpoint: undefined}, 'platform-invalid-answer'],
  ['a token endpoint that is null', {token_endpoint: null}, 'platform-invalid-answer'],
  ['a token endpoint that is a number', {token_endpoint: 5}, 'platform-invalid-answer'],
  ['a token endpoint that is empty', {token_endpoint: ''}, 'platform-invalid-answer'],
  ['a token endpoint that is a path', {token_endpoint: '/oauth2/token'}, 'platform-invalid-answer'],
  ['a token endpoint of another scheme', {token_endpoint: 'ftp://idp.faulty.localhost/'}, 'platform-invalid-answer'],
  ['a token endpoint that is a list', {token_endpoint: ['http://a']}, 'platform-invalid-answer'],
  ['a token endpoint at another host', {token_endpoint: 'http://elsewhere.example/'}, 'auth-endpoint-foreign'],
  ['keys at another host', {jwks_uri: 'http://elsewhere.example/keys'}, 'auth-endpoint-foreign'],
  ['a token endpoint with a password', {token_endpoint: 'http://a:b@idp.faulty.localhost/'}, 'platform-invalid-answer'],
  ['keys at no address', {jwks_uri: 'keys'}, 'platform-invalid-answer'],
  [
    'a page to sign in at that is none',
    {authorization_endpoint: 'javascript:alert(1)'},
    'auth-endpoint-foreign',
    onlyForPeople('auth-endpoint-foreign'),
  ],
  [
    'no page to sign in at',
    {authorization_endpoint: undefined},
    'auth-endpoint-foreign',
    onlyForPeople('auth-endpoint-foreign'),
  ],
  ['no PKCE', {code_challenge_methods_supported: ['plain']}, 'auth-pkce-missing', onlyForPeople('auth-pkce-missing')],
  ['grants that are a number', {grant_types_supported: 5}, 'ok'],
  ['scopes that are a text', {scopes_supported: 'openid'}, 'ok'],
  ['methods that are null', {token_endpoint_auth_methods_supported: null}, 'ok'],
];

export const metadata: readonly Fault[] = [
  ...rows.map(
    ([name, others, means, but = {}]): Fault => ({
      ...{name: `discovery: ${name}`, at: 'discovery', answers: members(others), means, but},
    }),
  ),
  ...(
    [
      // A first sign-in takes the issuer that the metadata names. The ID token then names another.
      [
        'an issuer with a slash more',
        (issuer: string) => `${issuer}/`,
        {setup: 'ok', 'browser sign-in': 'auth-id-token-refused'},
      ],
      ['an issuer in another case', (issuer: string) => issuer.replace('idp', 'IDP'), {}],
    ] as const
  ).map(
    ([name, spell, but]): Fault => ({
      ...{name: `discovery: ${name}`, at: 'discovery', means: 'auth-issuer-mismatch', but},
      answers: changedJson(value => ({...value, issuer: spell(own(value.issuer))})),
    }),
  ),
  ...(
    [
      [
        'a token endpoint where nothing listens',
        (address: string) => address.replace(/:\d+/, `:${closed}`),
        'network-refused',
      ],
      [
        'a token endpoint with TLS where there is none',
        (address: string) => address.replace('http:', 'https:'),
        'network-wrong-scheme',
      ],
      [
        'a token endpoint at a port that no client uses',
        (address: string) => address.replace(/:\d+/, ':6000'),
        'network-bad-port',
      ],
    ] as const
  ).map(
    ([name, move, means]): Fault => ({
      ...{name: `discovery: ${name}`, at: 'discovery', means, but: {doctor: 'ok'}},
      answers: changedJson(value => ({...value, token_endpoint: move(own(value.token_endpoint))})),
    }),
  ),
];
