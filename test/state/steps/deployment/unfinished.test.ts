import {expect, test} from 'vitest';
import type {Answers} from '../../../../src/state/model.ts';
import {unfinished} from '../../../../src/state/steps/deployment/unfinished.ts';
import {at} from '../../../support/states.ts';

const having = (answers: Answers) => ({
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

test('what was not answered then is not shown', () => {
  expect(unfinished.ask(having({})).about).toEqual([{type: 'table', rows: []}]);
  expect(unfinished.ask(at['find-deployment']).about).toEqual([{type: 'table', rows: []}]);
});
