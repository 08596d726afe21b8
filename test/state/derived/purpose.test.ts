import {describe, expect, test} from 'vitest';
import {
  connectsNoAssistant,
  isByClient,
  isCreating,
  isLogin,
  isResumed,
  isSignedIn,
  savedOf,
} from '../../../src/state/derived/wizard-deployment.ts';
import type {Answers, Facts} from '../../../src/state/model.ts';
import {contextAt} from '../../support/context.ts';
import {settings} from '../../support/states.ts';

type Resume = Answers['resume'];

const resuming = (resume: Resume) => ({answers: resume === undefined ? {} : {resume}});

describe('what a run is about', () => {
  test.each<[Resume, boolean, boolean, boolean]>([
    [undefined, false, false, false],
    ['anew', false, false, false],
    ['sign-in', true, false, true],
    ['renew', true, true, true],
    ['connect', true, true, false],
  ])('%s', (resume, resumed, signedIn, login) => {
    const state = {settings, ...resuming(resume)};
    expect([isResumed(state), isSignedIn(state), isLogin(state)]).toEqual([resumed, signedIn, login]);
    expect(isLogin({...state, settings: {...settings, login: true}})).toBe(true);
    expect(isLogin({...state, settings: {...settings, login: false}})).toBe(login);
  });
});

test('only a context that is saved is resumed', () => {
  const saved = contextAt('http://idp.acme.localhost:8080');
  expect(savedOf({saved})).toBe(saved);
  expect(() => savedOf({})).toThrow('Only a saved context is resumed.');
});

test.each<[NonNullable<Answers['signIn']>, boolean]>([
  ['browser', false],
  ['create-mcp-client', false],
  ['mcp-client', true],
  ['service-account', true],
])('%s: whether a person has the secret of its client', (signIn, has) => {
  expect(isByClient({answers: {signIn}})).toBe(has);
});

describe('an MCP client is created', () => {
  const creating = (answers: Answers, keptClient?: Facts['keptClient']) =>
    isCreating({answers, facts: keptClient ? {keptClient} : {}});

  test('where that is the way to sign in, and none is kept', () => {
    expect(creating({signIn: 'create-mcp-client'})).toBe(true);
    expect(creating({signIn: 'mcp-client'})).toBe(false);
    expect(creating({signIn: 'create-mcp-client'}, {clientId: 'mcp_client', isKept: false})).toBe(true);
  });

  test('or the one that is kept is to have a new secret', () => {
    const kept = {clientId: 'mcp_client', isKept: true};
    expect(creating({signIn: 'create-mcp-client'}, kept)).toBe(false);
    expect(creating({signIn: 'create-mcp-client', existingClient: 'refuse'}, kept)).toBe(false);
    expect(creating({signIn: 'create-mcp-client', existingClient: 'reset-secret'}, kept)).toBe(true);
    expect(creating({signIn: 'mcp-client', existingClient: 'reset-secret'}, kept)).toBe(false);
  });
});

test('nobody is asked for assistants where a flag says that there are to be none', () => {
  const choosing = (assistants: 'detected' | readonly string[]) =>
    connectsNoAssistant({initialAnswers: {connect: {assistants, scope: 'user', method: 'auto'}}});
  expect([choosing([]), choosing(['cursor']), choosing('detected'), connectsNoAssistant({initialAnswers: {}})]).toEqual(
    [true, false, false, false],
  );
});
