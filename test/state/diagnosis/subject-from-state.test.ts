import {expect, test} from 'vitest';
import {subjectIn} from '../../../src/state/diagnosis/subject-from-state.ts';
import type {Answers, WizardState} from '../../../src/state/model.ts';
import {initialState} from '../../../src/state/model.ts';
import {at, deployment, settings} from '../../support/states.ts';

test('a sign-in that this run has had, and kept nowhere yet, is part of what is looked at', () => {
  const token = at.check.facts.token;
  expect(subjectIn(at.check)).toMatchObject({unsaved: {method: 'mcp-client', clientId: 'mcp_client', token}});
  expect(subjectIn(at.check)).not.toHaveProperty('context');
});

test('and before it, the way that was chosen', () => {
  expect(subjectIn(at['obtain-token'])?.unsaved).toEqual({method: 'mcp-client', clientId: 'mcp_client', secrets: []});
  const browser: Answers = {deploymentAccepted: true, signIn: 'browser'};
  const state: WizardState = {...initialState(settings), answers: browser, facts: {deployment}};
  // The platform names the client of people; the usual one of clients is not theirs.
  expect(subjectIn(state)?.unsaved).toEqual({method: 'browser', secrets: []});
  expect(subjectIn(at.deployment)).not.toHaveProperty('unsaved');
});

test('once it is kept, the context is what counts', () => {
  const subject = subjectIn(at.done);
  expect(subject).toHaveProperty('context');
  expect(subject).not.toHaveProperty('unsaved');
});
