import {expect, test} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import {SetupError} from '../../src/errors/errors.ts';
import {failureOf} from '../../src/state/failure.ts';
import type {WizardState} from '../../src/state/model.ts';
import {reduce} from '../../src/state/reducer.ts';
import {currentStep, steps, stepsOf} from '../../src/state/steps.ts';
import {questionIn} from '../support/standing-wizard.ts';
import {at, deployment} from '../support/states.ts';

test.each(Object.entries(at))('%s is derived from what is known', (id, state) => {
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
  // Of another one nobody knows yet.
  expect(currentStep({...kept, answers: {...kept.answers, clientId: 'other'}}).id).toBe('kept-client');
});

test('several platforms are a question, and its answer is looked for', () => {
  const choices = [
    {source: 'gateway-route', name: 'OpenChoreo', controlPlaneUrl: 'https://api.acme.example.com'},
    {source: 'local-address', name: 'OpenChoreo', controlPlaneUrl: 'http://api.openchoreo.localhost:8080'},
  ] as const;
  const state: WizardState = {...at['find-deployment'], facts: {deploymentChoices: choices}};
  expect(currentStep(state).id).toBe('which-deployment');
  const [first] = questionIn(state).offers ?? [];
  expect(first).toMatchObject({
    label: 'api.acme.example.com',
    hint: 'OpenChoreo, in the cluster of your kube context',
  });
  if (!first || !('event' in first)) throw new Error('Each platform can be taken.');
  const next = reduce(state, first.event);
  expect(currentStep(next).id).toBe('find-deployment');
  expect(next.answers.baseDomain).toBe('https://api.acme.example.com');
});

test('what the identity provider does not allow is not offered', () => {
  const labels = (state: WizardState) => questionIn(state).offers.map(({label}) => label);
  expect(labels(at['sign-in'])).toContain('Create an MCP client');
  const closed = {...at['sign-in'], facts: {deployment: {...deployment, withoutRecipe: true}}} as const;
  expect(labels(closed)).not.toContain('Create an MCP client');
});

test('an account without a role can wait for one, or go on without', () => {
  const failed = {...at.check, failure: failureOf(new SetupError('auth-no-role', 'None.'), 'check', at.check)};
  expect(questionIn(failed).offers.map(({label}) => label)).toEqual([
    'Wait for the role',
    'Go on without a role',
    'Sign in another way',
    'Try again',
    'Diagnostics',
    'Quit',
  ]);
});

test('a failure after a client was created says that it is kept', () => {
  const {message} = failureOf(new SetupError('network-timeout', 'It took too long.'), 'obtain-token', {
    ...at['obtain-token'],
    created: ['mcp_client'],
  });
  expect(message).toBe(
    'It took too long. The MCP client mcp_client was created and saved. The next run continues with it.',
  );
});

test('every question but the last names the flag that answers it', () => {
  const silent = steps.filter(step => step.kind === 'ask' && step.flag === '');
  expect(silent.map(({id}) => id)).toEqual(['done']);
});
