import {describe, expect, test} from 'vitest';
import {openchoreo} from '../../src/platform/openchoreo.ts';
import {wantsOwnCli} from '../../src/state/derived/own-cli.ts';
import type {WizardState} from '../../src/state/model.ts';
import {currentStep, stepBefore, stepsOf} from '../../src/state/steps.ts';
import {contextAt} from '../support/context.ts';
import {questionIn} from '../support/standing-wizard.ts';
import {at} from '../support/states.ts';

/** The wizard once the assistants are chosen, at a platform that has a CLI of its own. */
const chosen = ({facts, ...change}: Partial<WizardState> = {}): WizardState => {
  const before = at.review;
  const {plan: _, ...known} = before.facts;
  return {
    ...before,
    ...change,
    settings: {...before.settings, platform: openchoreo, kinds: [openchoreo]},
    facts: {...known, deployment: {...known.deployment, platform: 'openchoreo'} as never, ...facts},
  };
};

const ids = (state: WizardState) => stepsOf(state).map(({id}) => id);

describe('whether the platform’s own CLI is signed in too', () => {
  test('is asked after it was looked for, and yes stands where it is there', () => {
    expect(currentStep(chosen()).id).toBe('find-own-cli');
    const found = chosen({facts: {ownCli: {installed: true}}});
    expect(currentStep(found).id).toBe('own-cli');
    expect(questionIn(found)).toMatchObject({
      heading: 'Sign in occ too?',
      offers: [{label: 'Yes', hint: expect.stringContaining('~/.openchoreo/config')}, {label: 'No'}],
      initial: 0,
    });
    expect(questionIn(chosen({facts: {ownCli: {installed: false}}}))).toMatchObject({initial: 1});
    expect(stepBefore(found)).toBe('assistants');
  });

  test('is not asked where the platform has none', () => {
    expect(ids(at.review)).not.toContain('own-cli');
  });

  test('is not asked where a flag has said it, and then nobody looks for it', () => {
    const state = chosen({given: {ownCli: true}, answers: {...at.review.answers, ownCli: true}});
    expect(currentStep(state).id).toBe('plan');
    expect(wantsOwnCli(state)).toBe(true);
  });

  test('is known in a renewal, whose change nobody has to look at again', () => {
    const saved = {
      ...contextAt('http://idp.acme.localhost:8080'),
      platform: 'openchoreo',
      cli: {path: '/home/ann/.openchoreo/config', name: 'acme', added: []},
    };
    const renewal = (settings: Partial<WizardState['settings']>, ownCli?: true): WizardState => {
      const state = chosen();
      const answers = {resume: 'renew', ...(ownCli ? {ownCli} : {})} as const;
      return {...state, settings: {...state.settings, ...settings}, answers};
    };
    expect(ids(renewal({saved}))).toEqual(expect.arrayContaining(['plan', 'write']));
    expect(ids(renewal({saved}))).not.toContain('review');
    const {cli: _, ...without} = saved;
    expect(ids(renewal({saved: without}))).not.toContain('write');
    expect(ids(renewal({saved: without}, true))).toContain('review');
  });
});
