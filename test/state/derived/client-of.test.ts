import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {
  clientIdOf,
  clientSecretOf,
  methodOf,
  runTokensOf,
  tokenOf,
  wantedClientId,
} from '../../../src/state/derived/wizard-context.ts';
import type {Answers, Facts, WizardState} from '../../../src/state/model.ts';
import {at} from '../../support/states.ts';

const having = (answers: Answers, facts: Partial<Facts> = {}): WizardState => ({
  ...at['sign-in'],
  answers,
  facts: {...at['sign-in'].facts, ...facts},
});

const cliClient = {clientId: 'platform-cli', scopes: ['openid', 'profile']};
const client = {clientId: 'created', secret: new Secret('of the created one')};

describe('the client of a run', () => {
  test('is the one that was named, or the usual one', () => {
    expect(wantedClientId(having({clientId: 'mine'}))).toBe('mine');
    expect(wantedClientId(having({}))).toBe('mcp_client');
    expect(clientIdOf(having({clientId: 'mine'}))).toBe('mine');
  });

  test('is the one with which a person has signed in, or that was created', () => {
    expect(clientIdOf(having({clientId: 'mine'}, {client}))).toBe('created');
    expect(clientIdOf(having({clientId: 'mine'}, {client, cliClient}))).toBe('platform-cli');
  });

  test('has the secret that was made for it, or that was typed', () => {
    const clientSecret = new Secret('typed');
    expect(clientSecretOf(having({clientSecret}, {client}))?.reveal()).toBe('of the created one');
    expect(clientSecretOf(having({clientSecret}))?.reveal()).toBe('typed');
    expect(clientSecretOf(having({}))).toBeUndefined();
  });

  test.each([
    ['create-mcp-client', 'mcp-client'],
    [undefined, 'mcp-client'],
    ['mcp-client', 'mcp-client'],
    ['browser', 'browser'],
    ['service-account', 'service-account'],
  ] as const)('%s signs in as %s', (signIn, method) => {
    expect(methodOf(having(signIn ? {signIn} : {}))).toBe(method);
  });
});

describe('the tokens of a run', () => {
  test('are the sign-in’s, and those that servers have of their own', () => {
    expect(tokenOf(at.check)).toBe(at.check.facts.token);
    expect(runTokensOf(at.check)).toEqual({signIn: at.check.facts.token?.access});
    const own = new Secret('of the observer');
    const tokens = runTokensOf({facts: {...at.check.facts, serverTokens: {observability: own}}});
    expect([tokens.signIn.reveal(), tokens.observability?.reveal()]).toEqual(['the-access-token', 'of the observer']);
  });

  test('are there after the sign-in only', () => {
    expect(() => tokenOf(at['sign-in'])).toThrow('No step after the sign-in runs without a token.');
  });
});
