import {expect, test} from 'vitest';
import {answered} from '../../../../src/state/events.ts';
import {initialState, type WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {onlyLook} from '../../../../src/state/steps/deployment/only-look.ts';
import {currentStep} from '../../../../src/state/steps.ts';
import {contextAt} from '../../../support/context.ts';
import {collect} from '../../../support/flows.ts';
import {memoryPorts} from '../../../support/memory-ports.ts';
import {at, settings} from '../../../support/states.ts';

const saved = {...contextAt('http://idp.acme.localhost:8080'), entries: []};
const begun = initialState({...settings, saved});
const home = {...begun, facts: {inspectedSignIn: {state: 'alive', token: at.review.facts.token}}} as WizardState;

/** Answers on the home screen, and runs the step. */
const turn = async (state: WizardState, isOn: boolean, ports: ReturnType<typeof memoryPorts>['ports']) => {
  const asked = reduce(state, answered({onlyLook: isOn}));
  expect(currentStep(asked).id).toBe('only-look');
  const {result} = await collect(onlyLook.run, asked, ports);
  return reduce(asked, {type: 'learned', step: 'only-look', facts: result});
};

test('the switch is saved, and leads back home, as often as it is turned', async () => {
  const {ports} = memoryPorts();
  await ports.config.saveContext(saved);
  let state = home;
  for (const isOn of [true, false, true]) {
    state = await turn(state, isOn, ports);
    expect(currentStep(state).id).toBe('home');
    const [context] = (await ports.config.read()).contexts;
    expect(context?.onlyLook).toBe(isOn ? true : undefined);
  }
});

test('a switch that could not be saved stays as it was once the person goes back', () => {
  const asked = reduce(home, answered({onlyLook: true}));
  const back = reduce(asked, {type: 'went-back', to: 'home'});
  expect(back.answers.onlyLook).toBeUndefined();
  expect(onlyLook.when(back)).toBe(false);
});
