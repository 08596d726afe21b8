import {expect, test} from 'vitest';
import type {Answers} from '../../../../src/state/model.ts';
import {savedSignIn} from '../../../../src/state/steps/deployment/saved-sign-in.ts';
import {contextAt} from '../../../support/context.ts';
import {at} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const saved = contextAt('http://idp.acme.localhost:8080');
const having = (answers: Answers) => ({
  ...at['find-deployment'],
  settings: {...at['find-deployment'].settings, saved},
  answers,
});

test('a saved sign-in is looked at before anything is decided about it', () => {
  expect(savedSignIn.when(having({}))).toBe(true);
  expect(savedSignIn.when(at['find-deployment'])).toBe(false);
  expect(savedSignIn.when(having({resume: 'renew'}))).toBe(false);
  expect(savedSignIn.when(having({begun: 'go-on'}))).toBe(false);
  expect(savedSignIn.when(having({begun: 'anew'}))).toBe(true);
  expect(savedSignIn.done(having({}))).toBe(false);
  expect(savedSignIn.done({...having({}), facts: {savedSignIn: {state: 'ended', message: '', reason: ''}}})).toBe(true);
  expect(savedSignIn.forgets).toEqual({answers: [], facts: ['savedSignIn']});
});

test('what was found is known from then on', async () => {
  const found = {state: 'ended', reason: 'It was refused.'};
  const asked = replaceFlows('sign-in/kept/saved-sign-in.ts', {savedSignIn: {outcome: found}});
  expect((await runStep(savedSignIn, having({}))).result).toEqual({savedSignIn: found});
  expect(asked.savedSignIn).toEqual([saved]);
});
