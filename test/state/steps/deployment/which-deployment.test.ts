import {describe, expect, test} from 'vitest';
import type {WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {whichDeployment} from '../../../../src/state/steps/deployment/deployment.ts';
import {currentStep} from '../../../../src/state/steps.ts';
import {questionIn} from '../../../support/standing-wizard.ts';
import {at, deployment} from '../../../support/states.ts';

const choices = [
  {source: 'gateway-route', name: 'OpenChoreo', controlPlaneUrl: 'https://api.acme.example.com'},
  {source: 'local-address', name: 'OpenChoreo', controlPlaneUrl: 'http://api.openchoreo.localhost:8080'},
] as const;
const state: WizardState = {...at['find-deployment'], facts: {deploymentChoices: choices}};

describe('several platforms', () => {
  test('are a question, and its answer is looked for', () => {
    expect(currentStep(state).id).toBe('which-deployment');
    const {offers, initial} = questionIn(state);
    expect(offers.map(({label}) => label)).toEqual([
      'api.acme.example.com',
      'api.openchoreo.localhost:8080',
      'Another base domain',
    ]);
    expect(initial).toBe(0);
    const [first] = offers;
    expect(first).toMatchObject({hint: 'OpenChoreo, in the cluster of your kube context'});
    if (!first || !('event' in first)) throw new Error('Each platform can be taken.');
    const next = reduce(state, first.event);
    expect(currentStep(next).id).toBe('find-deployment');
    expect(next.answers).toMatchObject({baseDomain: 'https://api.acme.example.com', addresses: {}});
  });

  test('are no question once one is found', () => {
    expect(whichDeployment.when(at['find-deployment'])).toBe(false);
    expect(whichDeployment.done(state)).toBe(false);
    expect(whichDeployment.done({...state, facts: {...state.facts, deployment}})).toBe(true);
    expect(whichDeployment.forgets).toEqual({answers: [], facts: []});
  });

  test('are never left to chance where nobody is there to be asked', () => {
    expect(whichDeployment.inputRequired(state)).toMatchObject({
      code: 'input-required',
      message:
        'More than one platform was found: OpenChoreo at https://api.acme.example.com, in the cluster of your kube context; and OpenChoreo at http://api.openchoreo.localhost:8080, on this machine.',
      remedy:
        'Choose one: --base-domain https://api.acme.example.com or --base-domain http://api.openchoreo.localhost:8080.',
      about: {flag: 'base-domain'},
    });
  });
});
