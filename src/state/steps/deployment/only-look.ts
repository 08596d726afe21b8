import {savedOf} from '../../derived/wizard-deployment.ts';
import type {WizardState} from '../../model.ts';
import type {RunStep} from '../../step.ts';

/** Whether all assistants of the saved deployment may only look at the moment. */
export const mayOnlyLook = ({facts, settings}: WizardState): boolean =>
  facts.onlyLook ?? savedOf(settings).onlyLook === true;

/** Turns the switch by which all assistants of the saved deployment may only look. Running bridges follow it. */
export const onlyLook = {
  id: 'only-look',
  stage: 'deployment',
  kind: 'run',
  title: 'Changing what your assistants may do',
  when: ({answers}) => answers.onlyLook !== undefined,
  done: ({answers, facts}) => facts.onlyLook === answers.onlyLook,
  forgets: {answers: ['onlyLook'], facts: ['onlyLook']},
  run: async ({answers, settings}, {ports}) => {
    const isOn = answers.onlyLook === true;
    await ports.config.saveOnlyLook(savedOf(settings).name, isOn);
    return {onlyLook: isOn};
  },
} satisfies RunStep;
