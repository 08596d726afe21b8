import {expect, test} from 'vitest';
import {openchoreo} from '../../../../src/platform/platforms.ts';
import type {Answers, Facts, WizardState} from '../../../../src/state/model.ts';
import {ownCli} from '../../../../src/state/steps/assistants/own-cli.ts';
import {at, deployment} from '../../../support/states.ts';

const having = (facts: Facts = {}, answers: Answers = {}): WizardState => ({
  ...at.review,
  settings: {...at.review.settings, platform: openchoreo, kinds: [openchoreo]},
  answers,
  facts: {deployment: {...deployment, platform: 'openchoreo'}, ...facts},
});

test('it is asked where the platform has a CLI of its own, once', () => {
  expect([ownCli.when(having()), ownCli.when(at.review)]).toEqual([true, false]);
  expect(ownCli.done(having())).toBe(false);
  expect([ownCli.done(having({}, {ownCli: false})), ownCli.done(having({}, {ownCli: true}))]).toEqual([true, true]);
  expect(ownCli.forgets).toEqual({answers: ['ownCli'], facts: []});
});

test('yes stands where it is installed', () => {
  const {offers, initial, heading} = ownCli.ask(having({ownCli: {installed: true}}));
  expect([heading, initial]).toEqual(['Sign in occ too?', 0]);
  expect(offers).toMatchObject([
    {label: 'Yes', event: {type: 'answered', answers: {ownCli: true}}},
    {label: 'No', event: {type: 'answered', answers: {ownCli: false}}},
  ]);
});

test('it is not asked where it is not installed', () => {
  expect(ownCli.when(having({ownCli: {installed: false}}))).toBe(false);
});

test('another program’s sign-in is changed only where somebody says so', () => {
  expect(ownCli.defaultAnswer()).toEqual({ownCli: false});
});
