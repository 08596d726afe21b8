import {expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import type {Unfinished} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {unfinished} from '../../../../src/state/steps/deployment/unfinished.ts';
import {questionIn} from '../../../support/standing-wizard.ts';
import {at, deployment} from '../../../support/states.ts';

const having = (answers: Unfinished) => ({
  ...at['find-deployment'],
  settings: {...at['find-deployment'].settings, unfinished: answers},
});

test('a run that was left is gone on with, or begun anew', () => {
  const state = having({baseDomain: 'acme.localhost', signIn: 'mcp-client', clientId: 'mine'});
  expect([unfinished.when(state), unfinished.when(at['find-deployment'])]).toEqual([true, false]);
  expect([unfinished.done(state), unfinished.done({...state, answers: {begun: 'anew'}})]).toEqual([false, true]);
  expect(unfinished.forgets).toEqual({answers: ['begun'], facts: []});
  expect(unfinished.ask(state)).toMatchObject({
    about: [
      {
        type: 'table',
        rows: [
          ['Base domain', 'acme.localhost'],
          ['Sign-in', 'Use an MCP client'],
          ['Client ID', 'mine'],
        ],
      },
    ],
    offers: [
      {event: {type: 'answered', answers: {...state.settings.unfinished, begun: 'go-on'}}},
      {event: {type: 'answered', answers: {begun: 'anew'}}},
    ],
    initial: 0,
  });
});

test('an address that was typed in the place of a base domain is not called one', () => {
  const {about} = unfinished.ask(having({baseDomain: 'http://api.acme.localhost:8080'}));
  expect(about).toMatchObject([{rows: [['Address', 'http://api.acme.localhost:8080']]}]);
});

test('that secrets are entered again is said to who had entered one', () => {
  const answers = {baseDomain: 'acme.localhost', signIn: 'mcp-client'} as const;
  const [without] = unfinished.ask(having(answers)).offers;
  expect(without).not.toHaveProperty('hint');
  const [first] = unfinished.ask(having({...answers, hadSecret: true})).offers;
  expect(first?.hint).toContain('You will enter secrets again');
  expect(first).toMatchObject({event: {answers: {...answers, begun: 'go-on'}}});
  expect(first).not.toMatchObject({event: {answers: {hadSecret: true}}});
});

test('nothing is said of secrets that this run was given', () => {
  const state = having({baseDomain: 'acme.localhost', signIn: 'mcp-client', hadSecret: true});
  const given = {...state, settings: {...state.settings, clientSecret: new Secret('from-the-environment')}};
  expect(unfinished.ask(given).offers[0]).not.toHaveProperty('hint');
});

test('a secret that this run was given for the same client is not asked for', () => {
  const preset = {clientId: 'mine', clientSecret: new Secret('canary'), clientEntered: true} as const;
  const eventOf = (answers: Unfinished) => {
    const state = having(answers);
    const presets = {'service-account': preset, 'mcp-client': preset};
    return unfinished.ask({...state, settings: {...state.settings, presets}}).offers[0]?.event;
  };
  const mine = {baseDomain: 'acme.localhost', signIn: 'service-account', clientId: 'mine', hadSecret: true} as const;
  expect(eventOf(mine)).toMatchObject({answers: {...preset, begun: 'go-on'}});
  const {clientId: _, ...withoutId} = mine;
  expect(eventOf(withoutId)).toMatchObject({answers: preset});
  expect(eventOf({...mine, clientId: 'other'})).toMatchObject({answers: {clientId: 'other'}});
  expect(eventOf({...mine, clientId: 'other'})).not.toMatchObject({answers: {clientEntered: true}});
  expect(eventOf({...mine, signIn: 'browser'})).not.toMatchObject({answers: {clientEntered: true}});
});

test('a client whose secret was saved is named, and is no answer', () => {
  const answers = {baseDomain: 'acme.localhost', signIn: 'create-mcp-client'} as const;
  const [first] = unfinished.ask(having({...answers, savedClients: ['mine']})).offers;
  expect(first?.hint).toBe('The MCP client mine was saved, with its secret.');
  expect(first).not.toMatchObject({event: {answers: {savedClients: ['mine']}}});
  const [both] = unfinished.ask(having({...answers, savedClients: ['mine', 'theirs']})).offers;
  expect(both?.hint).toBe('The MCP clients mine and theirs were saved, with their secrets.');
  const [other] = unfinished.ask(having({...answers, savedClients: ['mine'], hadSecret: true})).offers;
  expect(other?.hint).toContain('You will enter secrets again');
});

test('what was not answered then is not shown', () => {
  expect(unfinished.ask(having({})).about).toEqual([{type: 'table', rows: []}]);
  expect(unfinished.ask(at['find-deployment']).about).toEqual([{type: 'table', rows: []}]);
});

test('somebody who came back from a sign-in is asked how to sign in, and can stay signed in', () => {
  const answers = {baseDomain: 'acme.localhost', signIn: 'browser', signInBy: 'paste'} as const;
  const left = reduce(
    {...at.check, settings: having(answers).settings, answers: {...at.check.answers, begun: 'go-on'}},
    {type: 'went-back', to: 'unfinished'},
  );
  const [first] = questionIn(left).offers;
  expect(first).toMatchObject({label: 'Continue where you left off'});
  if (!first || !('event' in first) || first.event?.type !== 'answered')
    throw new Error('The first choice answers the question.');
  const on = reduce(left, first.event);
  const asked = reduce(
    {...on, answers: {...on.answers, deploymentAccepted: true, company: 'without'}},
    {type: 'learned', step: 'find-deployment', facts: {deployment, companyFile: {baseDomain: 'acme.localhost'}}},
  );
  expect(questionIn(asked)).toMatchObject({heading: 'How do you want to sign in?'});
  expect(questionIn(asked).offers[0]).toMatchObject({label: 'Stay signed in as mcp_client'});
});
