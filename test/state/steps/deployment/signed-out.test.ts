import {expect, test} from 'vitest';
import type {WizardState} from '../../../../src/state/model.ts';
import {awaitSignIn} from '../../../../src/state/steps/deployment/home.ts';
import {signedOut} from '../../../../src/state/steps/deployment/signed-out.ts';
import {contextAt} from '../../../support/context.ts';
import {at} from '../../../support/states.ts';

const state: WizardState = {
  ...at['find-deployment'],
  settings: {
    ...at['find-deployment'].settings,
    saved: contextAt('http://idp.acme.localhost:8080'),
    again: {signIn: 'browser'},
  },
  facts: {inspectedSignIn: {state: 'ended', message: '', reason: 'It was refused.'}},
};

test('a sign-in that nobody refused is renewed once more first', () => {
  const facts = {inspectedSignIn: {state: 'ended', message: '', reason: '', mayBeTried: true}} as const;
  expect(signedOut.ask({...state, facts})).toMatchObject({
    heading: 'Your sign-in to acme is no longer renewed',
    initial: 0,
    offers: [
      {label: 'Renew it once more', event: {type: 'answered', answers: {signIn: 'browser', resume: 'renew'}}},
      {label: 'Sign in again'},
      {label: 'Start over'},
      {leave: 'diagnose'},
      {leave: 'cancelled'},
    ],
  });
});

test('one that has probably ended is said to be that, and one key signs in again', () => {
  const facts = {inspectedSignIn: {state: 'ended', message: '', reason: 'It answered 400.', isUnclear: true}} as const;
  expect(signedOut.ask({...state, facts})).toMatchObject({
    heading: 'Your sign-in to acme has probably ended',
    about: [{type: 'text', text: 'It answered 400.'}],
    initial: 0,
    offers: [
      {label: 'Sign in again', event: {type: 'answered', answers: {signIn: 'browser', resume: 'sign-in'}}},
      {label: 'Start over'},
      {leave: 'diagnose'},
      {leave: 'cancelled'},
    ],
  });
});

test('a sign-in that has ended is got back, or something else is set up', () => {
  expect([signedOut.when(state), signedOut.when(at['find-deployment'])]).toEqual([true, false]);
  expect([signedOut.done(state), signedOut.done({...state, answers: {resume: 'anew'}})]).toEqual([false, true]);
  // What another process stores is noticed (`awaitNewSignIn`).
  expect(signedOut.beside()).toBe(awaitSignIn);
  expect(signedOut.forgets).toEqual({
    answers: ['resume', 'onlyLook', 'accountAnew', 'accountAccessAnew'],
    facts: [
      'inspectedSignIn',
      'connection',
      'withoutEntries',
      'withoutToken',
      'withUnreadableFile',
      'accountSignedOut',
      'isAccountUnfit',
      'diagnosed',
    ],
  });
  expect(signedOut.ask(state)).toMatchObject({
    heading: 'You are signed out of acme',
    about: [{type: 'text', text: 'It was refused.'}],
    initial: 0,
    offers: [
      {label: 'Sign in again', event: {type: 'answered', answers: {signIn: 'browser', resume: 'sign-in'}}},
      {label: 'Start over', event: {type: 'answered', answers: {resume: 'anew'}}},
      {leave: 'diagnose'},
      {leave: 'cancelled'},
    ],
  });
});
