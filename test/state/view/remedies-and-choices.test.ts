import {describe, expect, test} from 'vitest';
import {errorCodes} from '../../../src/errors/error-table.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {failureOf} from '../../../src/state/failure.ts';
import type {StepId, WizardState} from '../../../src/state/model.ts';
import {steps} from '../../../src/state/steps.ts';
import {questionIn} from '../../support/standing-wizard.ts';
import {at, atAccount} from '../../support/states.ts';

/** A state for each step that runs, in which it may have failed. */
const states: Readonly<Partial<Record<StepId, WizardState>>> = {
  ...at,
  ...atAccount,
  'kept-client': at['create-client'],
  'save-sign-in': at.check,
  'own-token': at.check,
  'find-assistants': at.check,
  'oauth-client': at.assistants,
  'find-own-cli': at.assistants,
  plan: at.review,
};

const running = steps.filter(({kind}) => kind === 'run').map(({id}) => id);

/** Steps in which no sign-in can be repeated: those before the first one, and one that needs none. */
const beforeSignIn: readonly StepId[] = [
  ...(['inspect-sign-in', 'cluster-authority', 'company-file', 'find-deployment', 'only-look'] as const),
];

/** Actions of the wizard, in the words of its choices. A remedy with one of these needs a choice of that name. */
const doable =
  /^(?:sign in again|sign in another way|sign in through a browser|sign in with a code|try again|enter the observer’s address|paste the address that the browser ended up at)\b/i;

const shown = (id: StepId, code: (typeof errorCodes)[number]) => {
  const state = states[id] ?? at['find-deployment'];
  const failure = failureOf(new SetupError(code, 'It failed.'), id, state);
  const view = questionIn({...state, failure});
  const [block] = view.about ?? [];
  return {view, remedy: block?.type === 'failure' ? block.remedy : ''};
};

describe.each(running.map(id => [id]))('a failure of %s', id => {
  test.each(errorCodes.map(code => [code]))('%s has what to do about it as its first choice, chosen', code => {
    const {view, remedy} = shown(id, code);
    const {offers, initial} = view;
    expect(offers.length).toBeGreaterThan(1);
    if (!view.isTrouble) return;
    const labels = offers.map(({label}) => label);
    // The choice that the remedy names first is at the top, and Enter takes it.
    const told = labels
      .map(label => [label, remedy.toLowerCase().indexOf(label.toLowerCase())] as const)
      .filter(([, at]) => at >= 0)
      .toSorted(([, one], [, other]) => one - other);
    if (told[0]) expect([labels[0], initial]).toEqual([told[0][0], 0]);
    // A remedy never names an action of the wizard without a choice of that name.
    const needsSignIn = /^sign in/i.test(remedy);
    const isElsewhere = /^(?:sign in through|sign in with a code|enter the observer|paste)/i.test(remedy);
    if (doable.test(remedy) && !isElsewhere && !(needsSignIn && beforeSignIn.includes(id)))
      expect(labels.some(label => remedy.toLowerCase().startsWith(label.toLowerCase()))).toBe(true);
  });
});

test('no remedy of the wizard sends a person to a command for what is a choice there', () => {
  const commands = errorCodes.flatMap(code => {
    const {advice, remedy} = failureOf(new SetupError(code, 'It failed.'), 'check', at.check);
    return /npx setup(?: login| \w+)?/.test(advice ?? remedy) ? [[code, advice ?? remedy] as const] : [];
  });
  const others = commands
    .filter(([, told]) => /npx setup login|npx setup(?=[.,]| again)/.test(told))
    .map(([code]) => code);
  // Only a command without a screen ends in this way.
  expect(others).toEqual(['auth-sign-in-pending']);
});
