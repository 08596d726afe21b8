import {expect, test} from 'vitest';
import type {Answers} from '../../../../src/state/model.ts';
import {inspectSignIn} from '../../../../src/state/steps/deployment/inspect-sign-in.ts';
import {contextAt} from '../../../support/context.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {at} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const saved = contextAt('http://idp.acme.localhost:8080');
const having = (answers: Answers) => ({
  ...at['find-deployment'],
  settings: {...at['find-deployment'].settings, saved},
  answers,
});

test('a saved sign-in is looked at before anything is decided about it', () => {
  expect(inspectSignIn.when(having({}))).toBe(true);
  expect(inspectSignIn.when(at['find-deployment'])).toBe(false);
  expect(inspectSignIn.when(having({resume: 'renew'}))).toBe(false);
  expect(inspectSignIn.when(having({begun: 'go-on'}))).toBe(false);
  expect(inspectSignIn.when(having({begun: 'anew'}))).toBe(true);
  expect(inspectSignIn.done(having({}))).toBe(false);
  expect(inspectSignIn.done({...having({}), facts: {inspectedSignIn: {state: 'ended', message: '', reason: ''}}})).toBe(
    true,
  );
  expect(inspectSignIn.forgets).toEqual({answers: [], facts: ['inspectedSignIn', 'otherContexts']});
});

test('what was found is known from then on', async () => {
  const found = {state: 'ended', reason: 'It was refused.'};
  const asked = replaceFlows('sign-in/resume-sign-in.ts', {inspectSignIn: {outcome: found}});
  const ports = await temporaryPorts();
  await ports.config.saveContext(saved);
  await ports.config.saveContext({...saved, name: 'staging'});
  expect((await runStep(inspectSignIn, having({}), ports)).result).toEqual({
    inspectedSignIn: found,
    otherContexts: [{name: 'staging', isSignedOut: true}],
  });
  expect(asked.inspectSignIn).toEqual([saved]);
});
