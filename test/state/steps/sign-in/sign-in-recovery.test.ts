import {describe, expect, test} from 'vitest';
import type {Failure, WizardState} from '../../../../src/state/model.ts';
import {newSecret, signInRecovery} from '../../../../src/state/steps/sign-in/sign-in-recovery.ts';
import {at} from '../../../support/states.ts';

const labels = (state: WizardState, change: Partial<Failure> = {}) => {
  const failure = {
    step: 'obtain-token',
    code: 'auth-client-refused',
    whose: 'you',
    headline: 'It failed',
    message: '',
    remedy: '',
  } as const;
  return signInRecovery(state, {...failure, ...change}).offers.map(({label}) => label);
};

const always = ['Sign in another way', 'Another base domain'];

describe('who cannot sign in', () => {
  test('can enter the client again, if it was entered', () => {
    expect(labels(at['obtain-token'])).toEqual(['Enter the client again', ...always]);
    const person = {...at['obtain-token'], answers: {...at['obtain-token'].answers, signIn: 'browser'}} as const;
    expect(labels(person)).toEqual(always);
    const resumed = {...at['obtain-token'], answers: {...at['obtain-token'].answers, resume: 'renew'}} as const;
    expect(labels(resumed)).toEqual(always);
  });

  test('can enter the administrator again, if a client is created', () => {
    expect(labels(at['create-client'])).toEqual(['Enter the administrator again', ...always]);
  });

  test('enters neither again once the identity provider has accepted the sign-in', () => {
    expect(labels(at.check)).toEqual(always);
    const created = {...at.check, answers: {...at.check.answers, signIn: 'create-mcp-client'}} as const;
    expect(labels(created, {code: 'auth-audience-wrong'})).toEqual(always);
  });

  test('can have a new secret where the one that was kept is refused', () => {
    const kept = {clientId: 'mcp_client', isKept: true};
    const state = {...at['create-client'], facts: {...at['create-client'].facts, keptClient: kept}};
    expect(labels(state)).toEqual(['Set a new secret for it', ...always]);
    expect(labels(state, {code: 'auth-token-refused'})).toEqual(always);
    expect(newSecret).toMatchObject({event: {type: 'answered', answers: {existingClient: 'reset-secret'}}});
  });

  test.each([
    ['nobody trusts the server', {code: 'network-tls', untrusted: {} as never}],
    ['a portal stands in between', {code: 'network-portal'}],
    ['a proxy stands in between', {code: 'network-proxy-denied'}],
  ] as const)('gets no further by another sign-in where %s', (_what, change) => {
    expect(labels(at['obtain-token'], change)).toEqual([]);
  });

  test('can try another way where the server itself is in trouble', () => {
    expect(labels(at['obtain-token'], {code: 'network-tls'})).toEqual(['Enter the client again', ...always]);
  });
});
