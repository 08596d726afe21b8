import {expect, test} from 'vitest';
import type {WizardState} from '../../src/state/model.ts';
import {currentStep, steps, stepsOf} from '../../src/state/steps.ts';
import {at} from '../support/states.ts';

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

test('every question but the last names the flag that answers it', () => {
  const silent = steps.filter(step => step.kind === 'ask' && step.flag === '');
  expect(silent.map(({id}) => id)).toEqual(['done']);
});
