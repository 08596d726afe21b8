import {expect, test} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import type {WizardState} from '../../src/state/model.ts';
import {currentStep, stepBefore, stepOf, steps, stepsOf} from '../../src/state/steps.ts';
import {at, atAccount} from '../support/states.ts';

test.each([...Object.entries(at), ...Object.entries(atAccount)])('%s is derived from what is known', (id, state) => {
  expect(currentStep(state).id).toBe(id);
});

test('the way to sign in decides which questions there are', () => {
  const ids = (state: WizardState) => stepsOf(state).map(({id}) => id);
  expect(ids(at.client)).toContain('client');
  expect(ids(at.client)).not.toContain('create-client');
  expect(ids(at.admin)).toEqual(expect.arrayContaining(['admin', 'create-client']));
  expect(ids(at.admin)).not.toContain('client');
});

test('a client that is kept from an earlier run needs no administrator, unless it is to have a new secret', () => {
  const kept: WizardState = {
    ...at.admin,
    facts: {
      ...at.admin.facts,
      keptClient: {clientId: 'mcp_client', isKept: true},
      client: {clientId: 'mcp_client', secret: new Secret('kept')},
    },
  };
  expect(currentStep(kept).id).toBe('obtain-token');
  const {client: _, ...facts} = kept.facts;
  const reset = {...kept, facts, answers: {...kept.answers, existingClient: 'reset-secret'}} as const;
  expect(currentStep(reset).id).toBe('admin');
  // It is not known yet whether another client is saved.
  expect(currentStep({...kept, answers: {...kept.answers, clientId: 'other'}}).id).toBe('kept-client');
});

test('every question but the last names the flag that answers it', () => {
  const silent = steps.filter(step => step.kind === 'ask' && step.flag === '');
  expect(silent.map(({id}) => id)).toEqual(['done']);
});

test('going back leads to the question before', () => {
  expect(stepBefore(at['find-deployment'])).toBeUndefined();
  expect(stepBefore(at.deployment)).toBeUndefined();
  expect(stepBefore(at['sign-in'])).toBe('deployment');
  expect(stepBefore(at.client)).toBe('sign-in');
  expect(stepBefore(at['create-client'])).toBe('admin');
  expect(stepBefore(at.assistants)).toBe('sign-in');
  expect(stepBefore(at.review)).toBe('assistants');
});

test('a step is found by its ID', () => {
  expect(stepOf('check').id).toBe('check');
  expect(() => stepOf('unheard-of' as never)).toThrow('There is no step unheard-of.');
});

test('the order of the steps is that of the wizard', () => {
  expect(steps.map(({id}) => id)).toEqual([
    ...['unfinished', 'cluster-authority', 'inspect-sign-in', 'only-look', 'home', 'signed-out'],
    ...['company-file', 'find-deployment', 'which-deployment', 'deployment'],
    ...['sign-in', 'client', 'kept-client', 'admin', 'create-client', 'obtain-token', 'save-sign-in', 'own-token'],
    ...['check', 'find-assistants', 'assistants', 'account', 'account-client', 'account-kept-client', 'account-admin'],
    ...['account-create-client', 'account-token', 'account-access', 'oauth-client', 'find-own-cli', 'own-cli'],
    ...['plan', 'review', 'write', 'verify', 'done'],
  ]);
});
