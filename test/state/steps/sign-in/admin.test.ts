import {expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import {admin} from '../../../../src/state/steps/sign-in/admin.ts';
import {at} from '../../../support/states.ts';

test('an administrator is asked for where a client is created, once', () => {
  expect([admin.when(at.admin), admin.when(at.client)]).toEqual([true, false]);
  expect([admin.done(at.admin), admin.done(at['create-client'])]).toEqual([false, true]);
  expect(admin.forgets).toEqual({answers: ['adminEntered', 'existingClient'], facts: []});
});

test('the form has the name that was given, and takes the password as it is typed', () => {
  const form = admin.ask(at.admin);
  expect(form.name).toEqual({label: 'Administrator', initial: '', isKnown: false});
  expect(admin.ask(at['create-client']).name).toMatchObject({initial: 'admin', isKnown: true});
  expect(form.secret.read(' pass word ')).toBe(' pass word ');
  const adminPassword = new Secret('pass');
  expect(form.toEvent('root', adminPassword)).toEqual({
    type: 'answered',
    answers: {adminUsername: 'root', adminPassword, adminEntered: true},
  });
});
