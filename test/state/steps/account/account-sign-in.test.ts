import {expect, test} from 'vitest';
import {SetupError} from '../../../../src/errors/errors.ts';
import {failureOf} from '../../../../src/state/failure.ts';
import type {WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {signInAgain} from '../../../../src/state/steps/sign-in/sign-in-recovery.ts';
import {currentStep} from '../../../../src/state/steps.ts';
import {contextAt} from '../../../support/context.ts';
import {questionIn} from '../../../support/standing-wizard.ts';
import {at, atAccount} from '../../../support/states.ts';

test.each(['auth-admin-refused', 'auth-permission-missing'] as const)(
  'after %s an administrator is asked for again, and not which account it is',
  code => {
    const state = atAccount['account-create-client'];
    const failure = failureOf(new SetupError(code, 'It failed.'), 'account-create-client', state);
    const {offers} = questionIn({...state, failure});
    const [first] = offers;
    expect(first?.label).toBe('Enter the administrator again');
    if (!first || !('event' in first)) throw new Error('The offer raises an event.');
    expect(currentStep(reduce({...state, failure}, first.event)).id).toBe('account-admin');
  },
);

test('a person who signs in again is not told that assistants with an account of their own use that sign-in', () => {
  const saved = contextAt('http://idp.acme.localhost:8080');
  const hintWith = (more: object) => {
    const settings = {...at.check.settings, saved: {...saved, ...more}};
    const state: WizardState = {...at.check, settings, answers: {...at.check.answers, resume: 'sign-in'}};
    return signInAgain(state).hint;
  };
  expect(hintWith({})).toContain('Your assistants use this sign-in too.');
  const assistantsAccount = {signIn: 'mcp-client', clientId: 'theirs'};
  expect(hintWith({assistantsAccount})).toContain('Your assistants have an account of their own.');
});
