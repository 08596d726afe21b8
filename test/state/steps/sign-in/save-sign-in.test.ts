import {describe, expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import type {Answers, WizardState} from '../../../../src/state/model.ts';
import {saveSignIn} from '../../../../src/state/steps/sign-in/save-sign-in.ts';
import {at} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const resuming = (resume: Answers['resume'], login = false): WizardState => ({
  ...at.check,
  settings: {...at.check.settings, ...(login ? {login} : {})},
  answers: {...at.check.answers, ...(resume ? {resume} : {})},
});

describe('a sign-in is kept at once', () => {
  test('where nothing else is wanted', () => {
    expect(saveSignIn.when(resuming('sign-in'))).toBe(true);
    expect(saveSignIn.when(resuming(undefined, true))).toBe(true);
  });

  test('but not where assistants are connected with it', () => {
    expect(saveSignIn.when(resuming(undefined))).toBe(false);
    expect(saveSignIn.when(resuming('connect'))).toBe(false);
  });

  test('but not where it is renewed: what is known of it here is without its refresh token', () => {
    expect(saveSignIn.when(resuming('renew'))).toBe(false);
    expect(saveSignIn.when(resuming('renew', true))).toBe(false);
  });

  test('once', () => {
    expect(saveSignIn.done(at.check)).toBe(false);
    expect(saveSignIn.done({...at.check, facts: {signInSaved: true}})).toBe(true);
    expect(saveSignIn.forgets).toEqual({answers: [], facts: ['signInSaved']});
  });
});

test('what is kept is the sign-in of this run', async () => {
  const asked = replaceFlows('sign-in/save-sign-in.ts', {saveSignIn: {outcome: undefined}});
  const clientSecret = new Secret('the-secret');
  const {result} = await runStep(saveSignIn, {...at.check, answers: {...at.check.answers, clientSecret}});
  expect(result).toEqual({signInSaved: true});
  expect(asked.saveSignIn).toEqual([
    {
      context: expect.objectContaining({name: 'acme', clientId: 'mcp_client'}),
      token: at.check.facts.token,
      clientSecret,
      ownTokens: {},
    },
  ]);
});
