import {expect, test} from 'vitest';
import {contextFor, isUsedBy, signInsOf} from '../../../src/domain/sign-in/server-tokens.ts';
import {contextAt} from '../../support/context.ts';

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
