import {describe, expect, test} from 'vitest';
import type {FlagValues} from '../../src/command-line/flags.ts';
import {answersOf, savedContext} from '../../src/command-line/saved-context.ts';
import type {Context} from '../../src/domain/context.ts';
import {Secret} from '../../src/domain/secret.ts';
import {contextAt} from '../support/context.ts';

const acme = contextAt('https://idp.acme.example');
const other = {...acme, name: 'other', baseDomain: 'other.example'};
const config = {version: 1, contexts: [acme, other]} as const;

test('flags that say nothing of it are about the current context, the first where none is', () => {
  expect(savedContext({}, {...config, currentContext: 'other'})).toBe(other);
  expect(savedContext({}, config)).toBe(acme);
  expect(savedContext({}, {...config, currentContext: 'gone'})).toBe(acme);
});

test('a name or a base domain says which', () => {
  expect(savedContext({context: 'other'}, config)).toBe(other);
  expect(savedContext({context: 'third'}, config)).toBeUndefined();
  expect(savedContext({'base-domain': 'other.example'}, config)).toBe(other);
  expect(savedContext({context: 'acme', 'base-domain': 'other.example'}, config)).toBeUndefined();
  expect(savedContext({'control-plane-url': 'https://api.third.example'}, config)).toBeUndefined();
});

const deployed: Context = {
  ...{...acme, name: 'deployed', baseDomain: 'deployed.example', layout: 'single'},
  controlPlaneUrl: 'https://api.deployed.example:8443',
  observerUrl: 'https://observer.deployed.example:11085',
  authUrl: 'https://sso.deployed.example/realms/dev',
  issuer: 'https://sso.deployed.example/realms/dev',
};
const several = {...config, contexts: [acme, deployed]};

test.each<FlagValues>([
  {'base-domain': 'Deployed.example'},
  {'base-domain': 'deployed.example:8443'},
  {'base-domain': 'https://deployed.example'},
  {'base-domain': 'https://deployed.example:8443'},
  {'base-domain': 'https://api.deployed.example:8443/'},
  {'base-domain': 'https://observer.deployed.example:11085'},
  {'control-plane-url': 'https://api.deployed.example:8443/'},
  {'observer-url': 'https://observer.deployed.example:11085'},
  {'auth-url': 'https://sso.deployed.example/realms/dev/'},
  {issuer: 'https://sso.deployed.example/realms/dev'},
  {context: 'deployed', 'base-domain': 'https://deployed.example'},
])('an address of a saved deployment means that deployment: %j', flags => {
  expect(savedContext(flags, several)).toBe(deployed);
});

test.each<FlagValues>([
  {'base-domain': 'http://deployed.example'},
  {'base-domain': 'deployed.example:9443'},
  {'base-domain': 'not a domain'},
  {'control-plane-url': 'https://api.deployed.example', 'auth-url': deployed.authUrl},
  {'control-plane-url': 'nonsense'},
  {'auth-url': 'https://sso.deployed.example/realms/other'},
  {layout: 'multi'},
])('an address of another one does not: %j', flags => {
  expect(savedContext(flags, several)).toBeUndefined();
});

test('addresses that differ count instead of what is saved, one by one', () => {
  const here = {'base-domain': 'deployed.example'};
  const observerUrl = 'https://logs.deployed.example';
  expect(savedContext({...here, 'observer-url': `${observerUrl}/`}, several)).toEqual({...deployed, observerUrl});
  const {observerUrl: _, ...without} = deployed;
  expect(savedContext({...here, 'observer-url': 'none'}, several)).toEqual(without);
  const controlPlaneUrl = 'https://10.0.0.7';
  expect(savedContext({...here, 'control-plane-url': controlPlaneUrl}, several)).toEqual({
    ...deployed,
    controlPlaneUrl,
  });
  const authUrl = 'https://idp.deployed.example';
  expect(savedContext({...here, 'auth-url': authUrl}, several)).toEqual({...deployed, authUrl, issuer: authUrl});
  const issuer = `${authUrl}/`;
  expect(savedContext({...here, 'auth-url': authUrl, issuer}, several)).toEqual({...deployed, authUrl, issuer});
  expect(savedContext({context: 'deployed', issuer}, several)).toEqual({...deployed, issuer});
});

test('of two deployments of one name, the one whose control plane it is, else the current one', () => {
  const twin = {...deployed, name: 'twin', controlPlaneUrl: 'https://api.deployed.example:9443'};
  const both = {...config, contexts: [deployed, twin], currentContext: 'twin'};
  const here = {'base-domain': 'deployed.example'};
  expect(savedContext(here, both)).toBe(twin);
  expect(savedContext({...here, 'control-plane-url': deployed.controlPlaneUrl}, both)).toBe(deployed);
});

describe('the secret that is kept of a client', () => {
  const byClient = {...acme, signIn: 'mcp-client', clientId: 'mine'} as const;
  const kept = new Secret('canary');

  test('signs that client in again', () => {
    expect(answersOf(byClient, {}, kept)).toMatchObject({
      ...{clientId: 'mine', clientFor: 'mcp-client', clientSecret: kept, clientEntered: true},
    });
  });

  test.each([
    ['another client', {clientId: 'other'}],
    ['another way, with a client that is not named', {signIn: 'service-account'}],
    ['a person', {signIn: 'browser'}],
  ] as const)('is not sent for %s', (_who, said) => {
    expect(answersOf(byClient, said, kept)).not.toHaveProperty('clientSecret');
    expect(answersOf(byClient, said, kept)).not.toHaveProperty('clientEntered');
  });
});
