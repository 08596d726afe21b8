import {describe, expect, test} from 'vitest';
import type {WantedToken} from '../../../src/domain/token-request.ts';
import {askedOf, needsConsent, parametersOf} from '../../../src/flows/sign-in/request-parameters.ts';
import {findProvider} from '../../../src/identity-providers/catalogue.ts';

const named = (id: string) => findProvider(id) ?? expect.fail(`There is no ${id}.`);
const resource = 'https://api.acme.example/mcp';

/** Returns what a person's sign-in asks of this kind of provider. */
const asked = (id: string, more: Partial<WantedToken> = {}, scopesSupported?: readonly string[]) =>
  askedOf({scopes: ['openid'], resource, ...more}, {provider: named(id), scopesSupported}, 'person');

describe('whom a token is for', () => {
  test.each([
    ['standard', {resource}],
    ['keycloak', {resource}],
    ['auth0', {audience: resource}],
    ['hydra', {audience: resource}],
    ['entra-id', {}],
  ])('is said to %s in its own way', (id, target) => {
    const {scopes: _, isOfflineAdded: __, ...found} = asked(id);
    expect(found).toEqual(target);
  });

  test('is said as the person says it, whatever is usual', () => {
    expect(asked('entra-id', {isResourceSaid: true})).toMatchObject({resource});
    expect(asked('auth0', {isResourceSaid: true})).not.toHaveProperty('audience');
    expect(asked('standard', {audience: 'api'})).toMatchObject({audience: 'api'});
    // Two parameters for the same thing are both sent only if the person names both.
    expect(asked('standard', {audience: 'api'})).not.toHaveProperty('resource');
    expect(asked('standard', {audience: 'api', isResourceSaid: true})).toMatchObject({audience: 'api', resource});
  });

  test('is not said where it is to be none', () => {
    for (const id of ['standard', 'auth0']) {
      const {scopes: _, isOfflineAdded: __, ...found} = asked(id, {resource: 'none'});
      expect(found).toEqual({});
    }
  });
});

describe('a refresh token', () => {
  test.each([
    ['dex', undefined, ['openid', 'offline_access']],
    ['dex', ['openid', 'offline_access'], ['openid', 'offline_access']],
    // The provider would refuse a scope that it does not list.
    ['dex', ['openid'], ['openid']],
    ['keycloak', ['openid', 'offline_access'], ['openid']],
    ['standard', ['openid', 'offline_access'], ['openid']],
  ])('is asked for at %s, which lists %j', (id, listed, scopes) => {
    expect(asked(id, {}, listed).scopes).toEqual(scopes);
  });

  test('is not asked for where that was refused, nor twice', () => {
    expect(asked('dex', {isWithoutOffline: true}).scopes).toEqual(['openid']);
    expect(asked('dex', {scopes: ['offline_access']})).toMatchObject({scopes: ['offline_access']});
    expect(asked('dex', {scopes: ['offline_access']})).not.toHaveProperty('isOfflineAdded');
    expect(asked('dex')).toMatchObject({isOfflineAdded: true});
  });

  test('needs the person’s consent where nothing else is known (OpenID Connect Core 11)', () => {
    const offline = {scopes: ['offline_access']};
    expect(needsConsent(offline, named('standard'))).toBe(true);
    expect(needsConsent(offline, named('entra-id'))).toBe(false);
    expect(needsConsent({scopes: ['openid']}, named('standard'))).toBe(false);
  });
});

test('a client asks for what is not about people', () => {
  const scopes = ['openid', 'profile', 'email', 'offline_access', 'api://x/.default'];
  const client = askedOf({scopes, resource}, {provider: named('dex')}, 'client');
  expect(client).toEqual({scopes: ['api://x/.default'], resource});
});

test('the parameters are those that there are', () => {
  expect(parametersOf({scopes: []})).toEqual({});
  expect(parametersOf({scopes: ['a', 'b'], resource, audience: 'c'})).toEqual({scope: 'a b', resource, audience: 'c'});
});
