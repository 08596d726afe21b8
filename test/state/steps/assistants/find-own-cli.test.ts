import {expect, test} from 'vitest';
import {openchoreo} from '../../../../src/platform/platforms.ts';
import type {WizardState} from '../../../../src/state/model.ts';
import {findOwnCli} from '../../../../src/state/steps/assistants/find-own-cli.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const state: WizardState = {
  ...at.assistants,
  settings: {...at.assistants.settings, platform: openchoreo, kinds: [openchoreo]},
  facts: {...at.assistants.facts, deployment: {...deployment, platform: 'openchoreo'}},
};

test('it is looked for where a person is asked about it, once', () => {
  expect([findOwnCli.when(state), findOwnCli.when(at.assistants)]).toEqual([true, false]);
  expect(findOwnCli.when({...state, initialAnswers: {ownCli: false}})).toBe(false);
  expect(findOwnCli.done(state)).toBe(false);
  expect(findOwnCli.done({...state, facts: {...state.facts, ownCli: {installed: false}}})).toBe(true);
  expect(findOwnCli.forgets).toEqual({answers: [], facts: ['ownCli']});
});

test('what was found is known from then on', async () => {
  const asked = replaceFlows('own-cli/own-cli-file.ts', {findOwnCli: {outcome: {installed: true}}});
  expect((await runStep(findOwnCli, state)).result).toEqual({ownCli: {installed: true}});
  expect(asked.findOwnCli).toEqual([{platform: openchoreo, place: state.settings.place}]);
});
