import {SetupError} from '../../../errors/errors.ts';
import {answered} from '../../events.ts';
import {type AskStep, nothing} from '../../step.ts';
import {foundBy} from '../../view/names.ts';
import type {Offer} from '../../view/view.ts';
import {enterBaseDomain} from './address-offers.ts';

/** Asks which of several platforms is meant. The answer is a base domain, for which the search starts again. */
export const whichDeployment = {
  id: 'which-deployment',
  stage: 'deployment',
  kind: 'ask',
  title: 'Which platform do you mean?',
  flag: '--base-domain',
  when: ({facts}) => facts.deploymentChoices !== undefined,
  done: ({facts}) => facts.deployment !== undefined,
  forgets: nothing,
  ask: state => ({
    type: 'question',
    offers: [
      ...(state.facts.deploymentChoices ?? []).map(
        ({name, controlPlaneUrl, source}): Offer => ({
          label: new URL(controlPlaneUrl).host,
          hint: `${name}, ${foundBy[source]}`,
          event: answered({baseDomain: controlPlaneUrl, addresses: {}}),
        }),
      ),
      enterBaseDomain(state, 'Another base domain', ''),
    ],
    initial: 0,
  }),
  // The program never chooses one of several platforms by itself.
  inputRequired: ({facts: {deploymentChoices = []}}) => {
    const found = deploymentChoices.map(
      ({name, controlPlaneUrl, source}) => `${name} at ${controlPlaneUrl}, ${foundBy[source]}`,
    );
    const flags = deploymentChoices.map(({controlPlaneUrl}) => `--base-domain ${controlPlaneUrl}`);
    return new SetupError('input-required', `More than one platform was found: ${found.join('; and ')}.`, {
      remedy: `Choose one: ${flags.join(' or ')}.`,
      about: {flag: 'base-domain'},
    });
  },
} satisfies AskStep;
