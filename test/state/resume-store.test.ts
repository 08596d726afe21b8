import {readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import {personWay, wantedClientId} from '../../src/state/derived/wizard-context.ts';
import {type Failure, initialState} from '../../src/state/model.ts';
import {reduce} from '../../src/state/reducer.ts';
import {createResumeStore, isWorthResuming, unfinishedOf} from '../../src/state/resume-store.ts';
import {currentStep} from '../../src/state/steps.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';
import {deployment, settings} from '../support/states.ts';
import {onUnix} from '../support/systems/on-unix.ts';

const store = async () => {
  const home = await temporaryDirectory();
  const path = join(home, 'unfinished.json');
  return {path, home, ...createResumeStore(portsIn(home).files, path)};
};

test('answers are kept, without those that rest on a secret', async () => {
  const {save, read, path} = await store();
  expect(await read()).toBeUndefined();
  const answers = {
    baseDomain: 'acme.localhost',
    deploymentAccepted: true,
    signIn: 'service-account',
    clientId: 'ci',
    clientEntered: true,
    clientSecret: new Secret('canary'),
    changesAccepted: true,
    // The company file may have changed by the next run.
    company: 'use',
  } as const;
  await save(unfinishedOf({...initialState(settings), answers, facts: {deployment}}));
  expect(await read()).toEqual({
    baseDomain: 'acme.localhost',
    deploymentAccepted: true,
    signIn: 'service-account',
    clientId: 'ci',
    hadSecret: true,
  });
  expect(await readFile(path, 'utf8')).not.toContain('Entered');
});

test('a platform that was found is kept with its addresses, so that no other one is taken for it', () => {
  const answers = {deploymentAccepted: true, signIn: 'browser'} as const;
  const {controlPlaneUrl, observerUrl, authUrl, baseDomain} = deployment;
  expect(unfinishedOf({...initialState(settings), answers, facts: {deployment}})).toEqual({
    ...answers,
    baseDomain,
    addresses: {controlPlaneUrl, observerUrl, authUrl},
  });
  // A deployment that the person has not accepted is searched for again.
  expect(unfinishedOf({...initialState(settings), answers: {}, facts: {deployment}})).toEqual({});
});

onUnix('they are for the person alone, and nothing that undo takes back', async () => {
  const {save, path, home} = await store();
  await writeFile(path, '{}', {mode: 0o644});
  await save({baseDomain: 'acme.localhost'});
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await portsIn(home).journal.list()).toEqual([]);
});

test('clearing forgets them, also twice; a broken file is no failure', async () => {
  const {save, read, clear, path} = await store();
  await save({baseDomain: 'acme.localhost'});
  await clear();
  await clear();
  expect(await read()).toBeUndefined();
  await writeFile(path, '{');
  expect(await read()).toBeUndefined();
});

test('a platform that never answered is nothing to go on with', () => {
  const state = {...initialState(settings), answers: {baseDomain: 'typo.example', signIn: 'browser'} as const};
  expect(isWorthResuming(unfinishedOf(state))).toBe(false);
  expect(isWorthResuming(unfinishedOf({...state, facts: {deployment}}))).toBe(true);
});

test('one of which a part answered is, although the search for it failed', () => {
  const state = {...initialState(settings), answers: {baseDomain: 'acme.localhost:8080'} as const};
  const failed = (failure: Partial<Failure>) => unfinishedOf({...state, failure: failure as Failure});
  expect(failed({code: 'platform-observer-missing'})).toEqual({baseDomain: 'acme.localhost:8080'});
  expect(failed({code: 'network-untrusted' as never, untrusted: {} as never})).toEqual({
    baseDomain: 'acme.localhost:8080',
  });
  expect(failed({code: 'network-name-not-found'})).toEqual({});
});

test('one that answered in the run before is, though it is out of reach now', () => {
  const unfinished = {baseDomain: 'acme.localhost', deploymentAccepted: true, signIn: 'browser'} as const;
  const state = {...initialState({...settings, unfinished}), answers: {...unfinished, begun: 'go-on'} as const};
  expect(unfinishedOf(state)).toMatchObject(unfinished);
  const other = {...state, answers: {...state.answers, baseDomain: 'typo.example'}};
  expect(isWorthResuming(unfinishedOf(other))).toBe(false);
});

test('only a secret that the person typed is one to be typed again', () => {
  const answers = {deploymentAccepted: true, signIn: 'mcp-client', clientSecret: new Secret('canary')} as const;
  const state = {...initialState(settings), answers, facts: {deployment}};
  expect(unfinishedOf(state).hadSecret).toBe(true);
  expect(unfinishedOf({...state, settings: {...settings, secretFrom: 'CLI_CLIENT_SECRET'}}).hadSecret).toBeUndefined();
  expect(unfinishedOf({...state, answers: {deploymentAccepted: true}}).hadSecret).toBeUndefined();
  // A secret that was typed for another way to sign in.
  for (const other of ['browser', 'create-mcp-client'] as const) {
    expect(unfinishedOf({...state, answers: {...answers, signIn: other}}).hadSecret).toBeUndefined();
  }
  expect(JSON.stringify(unfinishedOf(state))).not.toContain('canary');
});

test('the secret of a client that was created is kept, and nobody is asked for an administrator again', () => {
  const admin = {adminUsername: 'admin', adminPassword: new Secret('canary'), adminEntered: true} as const;
  const answers = {deploymentAccepted: true, signIn: 'create-mcp-client', existingClient: 'reset-secret'} as const;
  const before = {...initialState(settings), answers: {...answers, ...admin}, facts: {deployment}};
  expect(unfinishedOf(before)).toMatchObject({hadSecret: true, existingClient: 'reset-secret'});
  const client = {clientId: 'mine', secret: new Secret('canary')};
  const left = unfinishedOf({...before, facts: {deployment, client}});
  expect(left).toMatchObject({savedClients: ['mine']});
  expect(left).not.toHaveProperty('hadSecret');
  expect(JSON.stringify(left)).not.toContain('canary');
  // It is saved also if the person has turned to another way to sign in, in this run or in the next one.
  const other = {...before, answers: {deploymentAccepted: true, signIn: 'browser'} as const};
  expect(unfinishedOf({...other, created: ['mine']})).toMatchObject({savedClients: ['mine'], signIn: 'browser'});
  expect(unfinishedOf({...other, settings: {...settings, unfinished: left}})).toMatchObject({savedClients: ['mine']});
  // The assistants' own client is another one.
  const both = unfinishedOf({...other, created: ['theirs'], settings: {...settings, unfinished: left}});
  expect(both).toMatchObject({savedClients: ['mine', 'theirs']});
  expect(unfinishedOf(other)).not.toHaveProperty('savedClients');
  const {savedClients: _, ...said} = left;
  const going = reduce(initialState({...settings, unfinished: left}), {
    type: 'answered',
    answers: {...said, begun: 'go-on'},
  });
  const keptClient = {clientId: wantedClientId(going), isKept: true};
  expect(currentStep({...going, facts: {deployment, client, keptClient}}).id).toBe('obtain-token');
});

test('only what a person would not like to answer twice is worth it', () => {
  expect(isWorthResuming({})).toBe(false);
  expect(isWorthResuming({clientId: 'from-the-environment'})).toBe(false);
  expect(isWorthResuming({signIn: 'browser'})).toBe(true);
  expect(isWorthResuming({baseDomain: 'acme.localhost'})).toBe(true);
  expect(isWorthResuming({deploymentAccepted: true})).toBe(true);
});

test('going on asks for nothing that was answered, and again for the secret', () => {
  const unfinished = {
    baseDomain: 'acme.localhost',
    deploymentAccepted: true,
    signIn: 'mcp-client',
    clientId: 'mine',
  } as const;
  const met = initialState({...settings, unfinished});
  expect(currentStep(met).id).toBe('unfinished');
  const going = reduce(met, {type: 'answered', answers: {...unfinished, begun: 'go-on'}});
  expect(currentStep(going).id).toBe('find-deployment');
  expect(currentStep({...going, facts: {deployment}}).id).toBe('client');
  const anew = reduce(met, {type: 'answered', answers: {begun: 'anew'}});
  expect(anew.answers.signIn).toBeUndefined();
});

test('what flags said of the sign-in is kept with the answers, and of nothing else', () => {
  const terms = {redirectUri: 'http://127.0.0.1:28399/cb', asks: {scopes: ['openid']}, assumesPkce: true} as const;
  const state = {...initialState({...settings, ...terms}), facts: {deployment}};
  expect(unfinishedOf(state)).toEqual({terms});
  const next = {...initialState({...settings, unfinished: {terms}}), facts: {deployment}};
  expect(unfinishedOf({...next, answers: {begun: 'go-on'}})).toMatchObject({terms});
  expect(unfinishedOf({...next, answers: {begun: 'anew'}})).not.toHaveProperty('terms');
  expect(personWay({...next, answers: {begun: 'go-on'}})).toMatchObject({
    redirectUri: terms.redirectUri,
    assumesPkce: true,
  });
  expect(personWay({...next, answers: {begun: 'anew'}}).redirectUri).not.toBe(terms.redirectUri);
});
