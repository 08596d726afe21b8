import {describe, expect, test} from 'vitest';
import {
  ownTokensIn,
  resourcesIn,
  secondSignIn,
  serversIn,
  unaskedServers,
  wantedResource,
  whyAgain,
} from '../../../src/state/derived/wizard-context.ts';
import type {Facts} from '../../../src/state/model.ts';
import {at, deployment} from '../../support/states.ts';

const token = at.check.facts.token as NonNullable<Facts['token']>;

const both = {'control-plane': 'https://api/mcp', observability: 'https://observer/mcp'};
const having = (facts: Facts) => ({facts});

describe('a token of its own', () => {
  test('is wanted for the first server that has a resource, and no answer yet', () => {
    expect(wantedResource(having({}))).toBeUndefined();
    expect(wantedResource(having({ownResources: both}))).toEqual({
      server: 'control-plane',
      resource: 'https://api/mcp',
    });
    expect(wantedResource(having({ownResources: both, ownTokens: {'control-plane': token}}))).toEqual({
      server: 'observability',
      resource: 'https://observer/mcp',
    });
    const refused = {'control-plane': 'refused', observability: token} as const;
    expect(wantedResource(having({ownResources: both, ownTokens: refused}))).toBeUndefined();
  });

  test('is why a person signs in a second time', () => {
    expect(whyAgain(having({}))).toBeUndefined();
    expect(whyAgain(having({ownResources: both}))).toBe(secondSignIn('https://api/mcp'));
    expect(secondSignIn('https://api/mcp')).toContain('https://api/mcp accepts only tokens issued for it');
  });

  test('has not been asked for where no resource is known', () => {
    expect(unaskedServers(having({}))).toEqual(['control-plane', 'observability']);
    expect(unaskedServers(having({ownResources: {observability: 'https://observer/mcp'}}))).toEqual(['control-plane']);
    expect(unaskedServers(having({ownResources: both}))).toEqual([]);
  });

  test('is kept for the observer alone: the control plane’s is the sign-in’s', () => {
    expect(ownTokensIn(having({}))).toStrictEqual({});
    expect(ownTokensIn(having({ownTokens: {'control-plane': token, observability: token}}))).toEqual({
      observability: token,
    });
    expect(ownTokensIn(having({ownTokens: {observability: 'refused'}}))).toEqual({});
  });
});

describe('the resources that a context knows', () => {
  test('are those of tokens that were given', () => {
    expect(
      resourcesIn(having({ownResources: both, ownTokens: {'control-plane': token, observability: token}})),
    ).toEqual({
      resource: 'https://api/mcp',
      resources: {observability: 'https://observer/mcp'},
    });
  });

  test('are not those of tokens that were refused, or not asked for', () => {
    expect(resourcesIn(having({}))).toStrictEqual({});
    expect(resourcesIn(having({ownResources: both}))).toEqual({});
    const refused = {'control-plane': 'refused', observability: 'refused'} as const;
    expect(resourcesIn(having({ownResources: both, ownTokens: refused}))).toEqual({});
    expect(resourcesIn(having({ownTokens: {'control-plane': token, observability: token}}))).toStrictEqual({});
  });
});

test('a deployment without an observer has one server', () => {
  expect(serversIn(having({deployment}))).toEqual(['control-plane', 'observability']);
  const {observerUrl: _, ...without} = deployment;
  expect(serversIn(having({deployment: without}))).toEqual(['control-plane']);
  expect(serversIn(having({}))).toEqual(['control-plane']);
});
