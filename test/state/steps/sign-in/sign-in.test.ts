import {describe, expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import type {Settings, WizardState} from '../../../../src/state/model.ts';
import {signIn} from '../../../../src/state/steps/sign-in/sign-in.ts';
import {questionIn} from '../../../support/standing-wizard.ts';
import {at, deployment} from '../../../support/states.ts';

const having = (settings: Partial<Settings>): WizardState => ({
  ...at['sign-in'],
  settings: {...at['sign-in'].settings, ...settings},
});

const labels = (state: WizardState) => questionIn(state).offers.map(({label}) => label);

describe('the ways to sign in', () => {
  test('are those that the platform has', () => {
    expect(labels(at['sign-in'])).toEqual([
      'In the browser',
      'Create an MCP client',
      'Use an MCP client',
      'With a service account',
    ]);
    const closed = {...at['sign-in'], facts: {deployment: {...deployment, withoutRecipe: true}}} as const;
    expect(labels(closed)).toEqual(['In the browser', 'Use an MCP client', 'With a service account']);
  });

  test('take along what was given for them', () => {
    const {offers} = questionIn(having({presets: {'mcp-client': {clientId: 'mine', clientEntered: true}}}));
    expect(offers.map(offer => 'event' in offer && offer.event)).toEqual([
      {type: 'answered', answers: {signIn: 'browser'}},
      {type: 'answered', answers: {signIn: 'create-mcp-client'}},
      {type: 'answered', answers: {signIn: 'mcp-client', clientId: 'mine', clientEntered: true}},
      {type: 'answered', answers: {signIn: 'service-account'}},
    ]);
  });

  test('stand on the one that is suggested, else on the first', () => {
    expect(questionIn(having({suggested: 'service-account'})).initial).toBe(3);
    expect(questionIn(having({})).initial).toBe(0);
  });

  test('are done with once one is chosen', () => {
    expect(signIn.done(at['sign-in'])).toBe(false);
    expect(signIn.done(at.client)).toBe(true);
    expect(signIn.forgets).toEqual({answers: ['signIn', 'signInBy', 'signInAnew'], facts: []});
  });
});

describe('the secret of the last sign-in', () => {
  const {issuer} = deployment;
  const preset = {clientId: 'mine', clientSecret: new Secret('canary'), clientEntered: true} as const;
  const lastAt = (at: string) => having({lastSignIn: {issuer: at, way: 'mcp-client', preset}});

  test('is offered first at the identity provider that it belongs to', () => {
    const {initial, offers, below} = questionIn(lastAt(issuer));
    expect(initial).toBe(2);
    expect(offers[2]).toMatchObject({event: {answers: {signIn: 'mcp-client', ...preset}}});
    expect(below?.(2)).toBe('Using mine, with the secret from the last sign-in. Nothing to type.');
    expect(signIn.defaultAnswer(lastAt(issuer), false)).toEqual({signIn: 'mcp-client', ...preset});
  });

  test('is not said to need no typing if it was refused', () => {
    const {below} = questionIn(having({lastSignIn: {issuer, way: 'mcp-client', preset, isRefused: true}}));
    expect(below?.(2)).toBe(
      'Using mine, with the secret from the last sign-in. It was refused then; setup tries it once more.',
    );
  });

  test('goes to no other, which may have called itself a platform', () => {
    const elsewhere = lastAt('https://idp.other.example');
    const {initial, offers, below} = questionIn(elsewhere);
    expect(initial).toBe(0);
    for (const offer of offers) expect(offer).not.toHaveProperty('event.answers.clientSecret');
    expect(below?.(2)).not.toContain('Nothing to type');
    expect(signIn.defaultAnswer(elsewhere, false)).toBeUndefined();
    expect(signIn.defaultAnswer(elsewhere, true)).toEqual({signIn: 'browser'});
    // The same if a variable names the same secret again.
    const named = {
      presets: {'mcp-client': {...preset, clientSecret: new Secret('canary')}},
      suggested: 'mcp-client',
    } as const;
    const {lastSignIn} = elsewhere.settings;
    const kept = {...lastSignIn, savedSecret: new Secret('canary')} as Settings['lastSignIn'];
    const question = questionIn(having({...named, ...(kept ? {lastSignIn: kept} : {})}));
    expect(question.initial).toBe(0);
    for (const offer of question.offers) expect(offer).not.toHaveProperty('event.answers.clientSecret');
  });
});

describe('what is said of a way', () => {
  const below = (settings: Partial<Settings>, index = 2) => questionIn(having(settings)).below?.(index);

  test('is what it is for, where nothing is known of it', () => {
    const usual = /^Your assistants will use this account too, unless/;
    expect(below({})).toMatch(usual);
    expect(below({presets: {'mcp-client': {clientId: 'mine'}}})).toMatch(usual);
    expect(below({presets: {'mcp-client': {clientId: 'mine', clientEntered: true}}}, 0)).toMatch(usual);
    expect(below({}, 9)).toMatch(usual);
    expect(below({secretFrom: 'CLI_CLIENT_SECRET'})).toMatch(usual);
  });

  test('is who is known already, and where the secret came from', () => {
    const presets = {'mcp-client': {clientId: 'mine', clientEntered: true}} as const;
    expect(below({presets})).toBe('Using mine, with the secret. Nothing to type.');
    expect(below({presets, secretFrom: 'CLI_CLIENT_SECRET'})).toBe(
      'Using mine, with the secret from CLI_CLIENT_SECRET. Nothing to type.',
    );
    const admin = {'create-mcp-client': {adminUsername: 'root', adminEntered: true}} as const;
    expect(below({presets: admin, secretFrom: 'CLI_CLIENT_SECRET'}, 1)).toBe(
      'Using root, with the password. Nothing to type.',
    );
  });

  test('says how to register a client where one for people may be missing', async () => {
    const {guide} = questionIn(having({}));
    expect((await guide?.(0)?.())?.text).toContain('externalClients');
    // Its key does the same on every choice of the question.
    expect((await guide?.(3)?.())?.text).toContain('externalClients');
  });
});

test('nobody there to be asked gets the way that is suggested, with what was given for it', () => {
  const presets = {'service-account': {clientId: 'ci'}};
  expect(signIn.defaultAnswer(having({suggested: 'service-account', presets}), false)).toEqual({
    signIn: 'service-account',
    clientId: 'ci',
  });
  expect(signIn.defaultAnswer(having({presets}), false)).toBeUndefined();
  expect(signIn.defaultAnswer(having({isUnseen: true}), true)).toBeUndefined();
  // The default answer is the one that the screen would show, if the address is visible.
  expect(signIn.defaultAnswer(having({}), true)).toEqual({signIn: 'browser'});
});
