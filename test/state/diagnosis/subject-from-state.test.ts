import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {subjectAt, subjectIn} from '../../../src/state/diagnosis/subject-from-state.ts';
import {failureOf} from '../../../src/state/failure.ts';
import type {Answers, WizardState} from '../../../src/state/model.ts';
import {initialState} from '../../../src/state/model.ts';
import {contextAt} from '../../support/context.ts';
import {at, atAccount, deployment, settings} from '../../support/states.ts';

test('a sign-in that this run has had, and kept nowhere yet, is part of what is looked at', () => {
  const token = at.check.facts.token;
  expect(subjectIn(at.check)).toMatchObject({unsaved: {method: 'mcp-client', clientId: 'mcp_client', token}});
  expect(subjectIn(at.check)).not.toHaveProperty('context');
});

test('the wizard renews such a token by itself if it can be renewed', () => {
  const having = (renewable: boolean) =>
    ({...at.check, facts: {...at.check.facts, token: {...at.check.facts.token, renewable}}}) as WizardState;
  expect(subjectIn(having(true))?.unsaved).toMatchObject({isRenewedLater: true});
  expect(subjectIn(having(false))?.unsaved).not.toHaveProperty('isRenewedLater');
});

test('and before it, the way that was chosen', () => {
  expect(subjectIn(at['obtain-token'])?.unsaved).toEqual({method: 'mcp-client', clientId: 'mcp_client', secrets: []});
  const browser: Answers = {deploymentAccepted: true, signIn: 'browser'};
  const state: WizardState = {...initialState(settings), answers: browser, facts: {deployment}};
  // The platform names the client for people, so the default client ID does not apply.
  expect(subjectIn(state)?.unsaved).toEqual({method: 'browser', secrets: []});
  expect(subjectIn(at.deployment)).not.toHaveProperty('unsaved');
});

test('and a sign-in that failed, but no failure of another step', () => {
  const error = new SetupError('platform-busy', 'It is busy (429).');
  const failed = (step: 'obtain-token' | 'find-deployment') => {
    const state = at['obtain-token'];
    return subjectIn({...state, failure: failureOf(error, step, state)})?.unsaved;
  };
  expect(failed('obtain-token')?.failure).toMatchObject({code: 'platform-busy', message: 'It is busy (429).'});
  expect(failed('find-deployment')).not.toHaveProperty('failure');
});

test('the account of the assistants is looked at once it is signed in, for what it will be for', () => {
  expect(subjectIn(atAccount['account-access'])?.assistants).toMatchObject({
    purpose: 'look',
    token: atAccount['account-access'].facts.account?.token?.access,
  });
  expect(subjectIn(atAccount['account-token'])).not.toHaveProperty('assistants');
  expect(subjectIn(at.review)).not.toHaveProperty('assistants');
  // The account that they have gets another purpose.
  const assistantsAccount = {signIn: 'mcp-client', clientId: 'theirs', purpose: 'look'} as const;
  const changed = (actsAs: 'look' | 'build'): WizardState => {
    const state = atAccount['account-access'];
    const connect = {assistants: ['generic'], scope: 'user', method: 'bridge', actsAs} as const;
    const saved = {...contextAt('http://idp.acme.localhost'), assistantsAccount};
    const {account: _, ...facts} = state.facts;
    return {
      ...state,
      settings: {...state.settings, saved},
      answers: {...state.answers, resume: 'connect', connect},
      facts,
    };
  };
  expect(subjectIn(changed('build'))?.assistants).toEqual({purpose: 'build'});
  expect(subjectIn(changed('look'))).not.toHaveProperty('assistants');
});

test('once it is kept, the context is what counts', () => {
  const subject = subjectIn(at.done);
  expect(subject).toHaveProperty('context');
  expect(subject).not.toHaveProperty('unsaved');
});

describe('the deployment that is looked at', () => {
  const {controlPlaneUrl, observerUrl, authUrl, issuer} = deployment;
  const saved = {...contextAt('http://idp.saved.localhost'), observerUrl: 'http://observer.saved.localhost'};
  const having = (answers: Answers, facts: WizardState['facts'] = {}): WizardState => ({
    ...initialState({...settings, saved}, answers),
    facts,
  });

  test('is the one that was found', () => {
    expect(subjectIn(at.deployment)).toEqual({
      platform: settings.platform,
      controlPlaneUrl,
      observerUrl,
      authUrl,
      issuer,
      // A new command would not know the unsaved sign-in.
      inWizard: true,
    });
    const {observerUrl: _, ...without} = deployment;
    expect(subjectIn({...at.deployment, facts: {deployment: without}})).not.toHaveProperty('observerUrl');
  });

  test('is the one that is saved, unless the run begins anew or goes on with another', () => {
    const {controlPlaneUrl: url} = saved;
    expect(subjectIn(having({}))).toMatchObject({controlPlaneUrl: url, observerUrl: saved.observerUrl, context: saved});
    expect(subjectIn(having({resume: 'renew'}, {deployment}))).toMatchObject({controlPlaneUrl: url, context: saved});
    for (const answers of [{resume: 'anew'}, {begun: 'go-on'}] as const) {
      expect(subjectIn(having(answers, {deployment}))).toMatchObject({controlPlaneUrl});
      expect(subjectIn(having(answers, {deployment}))).not.toHaveProperty('context');
    }
  });

  test('is the one that this run has written, with its entries', () => {
    const entries = [
      {assistant: 'cursor', scope: 'user', project: '/', method: 'bridge', path: '/x', names: []},
    ] as const;
    const {plan: _, ...facts} = at.done.facts;
    expect(subjectIn({...at.done, facts})).toMatchObject({context: {name: 'acme', entries: []}});
    const plan = {...at.done.facts.plan, entries} as never;
    expect(subjectIn({...at.done, facts: {...facts, plan}})).toMatchObject({context: {entries}});
    const login = {...at.check, facts: {...at.check.facts, signInSaved: true}} as const;
    const resumed = {...login, answers: {...login.answers, resume: 'sign-in'}} as const;
    const before = {...resumed, settings: {...settings, saved: {...saved, name: 'acme', entries}}};
    expect(subjectIn(before)).toMatchObject({controlPlaneUrl, context: {name: 'acme', entries}});
  });

  test('is where it was looked for', () => {
    expect(subjectIn(initialState(settings, {baseDomain: 'acme.localhost'}))).toMatchObject({
      controlPlaneUrl: 'http://api.acme.localhost:8080',
    });
    expect(subjectIn(initialState(settings, {baseDomain: 'acme.localhost', signIn: 'browser'}))).toHaveProperty(
      'unsaved',
    );
    expect(subjectIn(initialState(settings, {baseDomain: 'no good'}))).toBeUndefined();
  });

  test('has an address for everything, as the layout has it', () => {
    const {platform} = settings;
    const addresses = {observerUrl: 'none'} as const;
    expect(subjectAt({platform, layout: 'auto'})).toMatchObject({
      controlPlaneUrl: 'http://api.platform.localhost:8080',
      authUrl: 'http://idp.platform.localhost:8080',
      issuer: 'http://idp.platform.localhost:8080',
      observerUrl: expect.stringContaining(':11080'),
    });
    expect(subjectAt({platform, layout: 'multi'}).observerUrl).toContain(':11087');
    expect(subjectAt({platform, layout: 'auto', addresses})).not.toHaveProperty('observerUrl');
    expect(() => subjectAt({platform, layout: 'auto', baseDomain: 'no good'})).toThrow('is not a base domain');
  });

  test('is looked at with every secret that this run knows', () => {
    const [clientSecret, adminPassword] = [new Secret('a'), new Secret('b')];
    const serverTokens = {observability: new Secret('c')};
    const cliClient = {clientId: 'found', scopes: []};
    const state: WizardState = {
      ...at.check,
      answers: {...at.check.answers, clientSecret, adminPassword},
      facts: {...at.check.facts, serverTokens, cliClient},
    };
    expect(subjectIn(state)?.unsaved).toMatchObject({clientId: 'found', serverTokens});
    expect(subjectIn(state)?.unsaved?.secrets.map(secret => secret.reveal())).toEqual(['a', 'b']);
    const {cliClient: _, ...facts} = state.facts;
    const client = {clientId: 'made', secret: new Secret('d')};
    expect(subjectIn({...state, facts: {...facts, client}})?.unsaved).toMatchObject({clientId: 'made'});
  });
});
