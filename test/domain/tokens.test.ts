import {describe, expect, test} from 'vitest';
import {
  contextFor,
  expiryOf,
  inspectToken,
  isOfClient,
  isOfPerson,
  isUsedBy,
  keyIdOf,
  payloadOf,
  refreshTokenEndOf,
  signInsOf,
} from '../../src/domain/tokens.ts';
import {contextAt} from '../support/context.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown, header: unknown = {kid: 'key-1'}) => `${part(header)}.${part(claims)}.signature`;

describe('what a JWT says', () => {
  test('is its claims, its key and its end', () => {
    const token = jwt({sub: 'ann', exp: 100});
    expect(payloadOf(token)).toEqual({sub: 'ann', exp: 100});
    expect(keyIdOf(token)).toBe('key-1');
    expect(expiryOf(token)).toBe(100_000);
    expect(refreshTokenEndOf({refreshToken: token})).toBe(100_000);
  });

  test.each(['', 'opaque', 'a.b.c', `x.${part('text')}.x`, `x.${part(null)}.x`])(
    'is nothing where it is none: %j',
    token => {
      expect(payloadOf(token)).toBeUndefined();
      expect([keyIdOf(token), expiryOf(token), refreshTokenEndOf({refreshToken: token})]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  test('is nothing of what it does not say, or says otherwise', () => {
    expect(expiryOf(jwt({exp: 'soon'}))).toBeUndefined();
    expect(keyIdOf(jwt({}, {kid: 1}))).toBeUndefined();
    expect(refreshTokenEndOf({})).toBeUndefined();
  });
});

const context = {...contextAt('https://idp.acme.example'), resources: {observability: 'https://observer.example/mcp'}};

test('a server has the token of the sign-in unless it has one of its own', () => {
  expect(contextFor(context, 'control-plane')).toBe(context);
  const own = {audience: 'https://observer.example/mcp', resource: 'https://observer.example/mcp'};
  expect(contextFor(context, 'observability')).toEqual({...context, ...own});
  expect(contextFor(contextAt('https://idp.acme.example'), 'observability')).not.toHaveProperty('audience');
  expect(signInsOf(context).map(({audience}) => audience)).toEqual([undefined, 'https://observer.example/mcp']);
});

test('a sign-in is used by a context that signs in as the same client, or has the same server apart', () => {
  const [signIn, own] = [context, contextFor(context, 'observability')];
  const together = {...contextAt(context.issuer), name: 'together'};
  const apart = {...context, name: 'apart'};
  expect([signIn, own].map(one => isUsedBy(one, [apart]))).toEqual([true, true]);
  expect([signIn, own].map(one => isUsedBy(one, [together]))).toEqual([true, false]);
  expect([signIn, own].map(one => isUsedBy(one, [{...apart, clientId: 'another'}]))).toEqual([false, false]);
  expect(isUsedBy(signIn, [])).toBe(false);
});

const issuer = 'https://id.example';
const now = 1_700_000_000_000;

const tokenWith = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify({iss: issuer, ...claims})).toString('base64url')}.c2ln`;

describe('what a token says of itself', () => {
  test('its issuer and its audiences, one or several', () => {
    expect(inspectToken(tokenWith({aud: 'a'}), issuer, now)).toEqual({issuer, audience: ['a'], warnings: []});
    expect(inspectToken(tokenWith({aud: ['a', 'b', 1]}), issuer, now).audience).toEqual(['a', 'b']);
    expect(inspectToken(tokenWith({}), issuer, now)).toEqual({issuer, warnings: []});
  });

  test('nothing, where it is opaque', () => {
    const {warnings, ...rest} = inspectToken('opaque', issuer, now);
    expect(rest).toEqual({});
    expect(warnings).toEqual([expect.stringContaining('opaque')]);
  });

  test('that another identity provider issued it, in words that do nothing to a terminal', () => {
    const {issuer: found, warnings} = inspectToken(tokenWith({iss: 'https://other\u001b[2J'}), issuer, now);
    expect(found).toBe('https://other [2J');
    expect(warnings).toEqual([`The token was issued by https://other [2J, but the identity provider is ${issuer}.`]);
  });

  test('that it does not name its issuer', () => {
    expect(inspectToken(tokenWith({iss: undefined}), issuer, now)).toEqual({
      warnings: [
        `The token does not name its issuer, so the platform’s servers cannot tell that it is from ${issuer}.`,
      ],
    });
  });

  test('that it has ended, from the very second on', () => {
    expect(inspectToken(tokenWith({exp: now / 1000 + 1}), issuer, now).warnings).toEqual([]);
    expect(inspectToken(tokenWith({exp: now / 1000}), issuer, now).warnings).toHaveLength(1);
  });
});

describe('whose a token is', () => {
  test.each<[string, object]>([
    ['by the grant', {grant_type: 'client_credentials', username: 'ci'}],
    ['by its subject', {sub: 'ci', client_id: 'ci'}],
    ['by its subject, where it names an authorized party', {sub: 'ci', azp: 'ci', name: 'CI'}],
    ['by the account that Keycloak gives a client', {sub: 'u-1', azp: 'CI', preferred_username: 'service-account-ci'}],
    [
      'by the account that authentik gives a client',
      {sub: 'u-1', azp: 'x', preferred_username: 'ak-Platform CI-client_credentials'},
    ],
  ])('a client’s, %s', (_, claims) => {
    expect([isOfClient(tokenWith(claims)), isOfPerson(tokenWith(claims))]).toEqual([true, false]);
  });

  test.each<[string, object]>([
    ['by the grant', {sub: 'u-1', client_id: 'cli', grant_type: 'authorization_code'}],
    ['by a name', {sub: 'u-1', azp: 'cli', username: 'jane'}],
    ['by an e-mail address', {sub: 'u-1', email: 'jane@acme.example'}],
    ['by a name that begins like a client’s', {sub: 'u-1', azp: 'cli', preferred_username: 'service-account-team'}],
  ])('a person’s, %s', (_, claims) => {
    expect([isOfClient(tokenWith(claims)), isOfPerson(tokenWith(claims))]).toEqual([false, true]);
  });

  test.each<[string, string]>([
    ['says neither', tokenWith({sub: 'u-1', client_id: 'cli'})],
    ['is opaque', 'opaque'],
  ])('nobody knows of one that %s', (_, token) => {
    expect([isOfClient(token), isOfPerson(token)]).toEqual([false, false]);
  });
});
