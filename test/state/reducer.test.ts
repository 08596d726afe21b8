import {describe, expect, test} from 'vitest';
import {claudeCode} from '../../src/assistants/catalogue/claude-code.ts';
import {cursor} from '../../src/assistants/catalogue/cursor.ts';
import {tickedOf} from '../../src/state/derived/targets.ts';
import type {WizardEvent} from '../../src/state/events.ts';
import type {Failure, WizardState} from '../../src/state/model.ts';
import {reduce} from '../../src/state/reducer.ts';
import {currentStep, stepBefore} from '../../src/state/steps.ts';
import {failureView} from '../../src/state/view/failure-view.ts';
import {at, deployment} from '../support/states.ts';

const following = (state: WizardState, ...events: readonly WizardEvent[]) => events.reduce(reduce, state);

const failure = (code: Failure['code'], step: Failure['step'], whose: Failure['whose'] = 'you'): Failure => ({
  code,
  step,
  whose,
  message: 'It failed.',
  remedy: 'Mend it.',
});

describe('going back', () => {
  test('leads to the question before', () => {
    expect(stepBefore(at['find-deployment'])).toBeUndefined();
    expect(stepBefore(at.deployment)).toBeUndefined();
    expect(stepBefore(at['sign-in'])).toBe('deployment');
    expect(stepBefore(at.client)).toBe('sign-in');
    expect(stepBefore(at['create-client'])).toBe('admin');
    expect(stepBefore(at.assistants)).toBe('client');
    expect(stepBefore(at.review)).toBe('assistants');
  });

  test('forgets the answer and what came of it, and keeps what was typed', () => {
    const state = following(at.done, {type: 'went-back', to: 'client'});
    expect(currentStep(state).id).toBe('client');
    expect(Object.keys(state.facts)).toEqual(['deployment']);
    expect(state.answers).toEqual({deploymentAccepted: true, signIn: 'mcp-client', clientId: 'mcp_client'});
  });

  test('to the deployment keeps what was found, to the search forgets that too', () => {
    expect(following(at.done, {type: 'went-back', to: 'deployment'}).facts).toEqual({deployment});
    expect(following(at.done, {type: 'went-back', to: 'find-deployment'}).facts).toEqual({});
  });

  test('keeps what a flag answered, unless that is what the person went back for', () => {
    const connect = {assistants: ['generic'], scope: 'user', method: 'auto'} as const;
    const state = {...at.review, given: {connect}};
    expect(following(state, {type: 'went-back', to: 'sign-in'}).answers.connect).toEqual(connect);
    expect(following(state, {type: 'answered', answers: {clientId: 'other'}}).answers.connect).toEqual(connect);
    expect(following(state, {type: 'went-back', to: 'assistants'}).answers.connect).toBeUndefined();
    expect(following(at.review, {type: 'went-back', to: 'sign-in'}).answers.connect).toBeUndefined();
  });

  test('clears a failure', () => {
    const failed = {...at.check, failure: failure('network-timeout', 'check')};
    expect(following(failed, {type: 'went-back', to: 'sign-in'}).failure).toBeUndefined();
  });
});

describe('the name of a client', () => {
  const answers = (...said: readonly WizardState['answers'][]) =>
    following(at['sign-in'], ...said.map(one => ({type: 'answered', answers: one}) as const)).answers;

  test('is not taken along to another way to sign in, nor to a client that is to be made', () => {
    const named = [{signIn: 'service-account'}, {clientId: 'ci', clientEntered: true}] as const;
    expect(answers(...named).clientId).toBe('ci');
    expect(answers(...named, {signIn: 'browser'}).clientId).toBeUndefined();
    expect(answers(...named, {signIn: 'create-mcp-client'}).clientId).toBeUndefined();
    expect(answers(...named, {signIn: 'service-account'}).clientId).toBe('ci');
    expect(answers(...named, {signIn: 'mcp-client', clientId: 'mine'}).clientId).toBe('mine');
  });

  test('that a flag gave stays, whichever way is chosen', () => {
    const state = {...at['sign-in'], answers: {...at['sign-in'].answers, clientId: 'given'}};
    expect(following(state, {type: 'answered', answers: {signIn: 'browser'}}).answers.clientId).toBe('given');
  });
});

test('who was chosen is ticked again when that is asked again', () => {
  const connect = {assistants: ['cursor'], scope: 'project', method: 'bridge'} as const;
  const state = following(at.assistants, {type: 'answered', answers: {connect}}, {type: 'went-back', to: 'assistants'});
  expect(state.answers.connect).toBeUndefined();
  expect([...tickedOf(state)]).toEqual(['cursor']);
  expect([...tickedOf(at.assistants)]).toEqual(['claude-code']);
});

test('one file that cannot be written can be left out', () => {
  const connect = {assistants: ['claude-code', 'cursor'], scope: 'user', method: 'auto'} as const;
  const settings = {...at.assistants.settings, assistants: [claudeCode, cursor]};
  const state = following({...at.assistants, settings}, {type: 'answered', answers: {connect}});
  const broken = {
    ...failure('local-file-invalid', 'plan'),
    message: 'It is not valid JSON (line 3).',
    about: {path: '/home/ann/.claude.json'},
  };
  const [offer] = failureView(state, broken).offers;
  expect(offer).toMatchObject({
    label: 'Go on without Claude Code',
    event: {answers: {connect: {...connect, assistants: ['cursor']}}},
  });
});

describe('an answer', () => {
  test('on which an earlier step was built makes that step run again', () => {
    const state = following(at.review, {type: 'answered', answers: {baseDomain: 'other.localhost'}});
    expect(currentStep(state).id).toBe('find-deployment');
    expect(state.facts).toEqual({});
  });

  test('after a failure clears it', () => {
    const failed = {...at['create-client'], failure: failure('auth-client-exists', 'create-client')};
    const state = following(failed, {type: 'answered', answers: {existingClient: 'reset-secret'}});
    expect(state.failure).toBeUndefined();
    expect(currentStep(state).id).toBe('create-client');
  });
});

test('trying again clears the failure and changes nothing else', () => {
  const failed = {...at.check, failure: failure('network-timeout', 'check')};
  expect(following(failed, {type: 'retried'})).toEqual(at.check);
});

test('a call is kept under its step, with its answer when it comes', () => {
  const started = {type: 'call-started', call: 1, method: 'GET', url: 'http://x/health'} as const;
  const waiting = following(at.check, started);
  expect(waiting.calls).toEqual([{call: 1, step: 'check', method: 'GET', url: 'http://x/health'}]);
  const answered = following(waiting, {
    ...started,
    type: 'call-answered',
    status: 503,
    ms: 4,
    curl: 'curl http://x/health',
  });
  expect(answered.calls[0]?.answer).toEqual({result: '503', failed: true, ms: 4, curl: 'curl http://x/health'});
});

test('a warning is said once', () => {
  const warning = {type: 'warning', message: 'careful'} as const;
  expect(following(at.review, warning, warning).warnings).toEqual(['careful']);
});

describe('the ways on from a failure', () => {
  const labels = (state: WizardState, one: Failure) => failureView(state, one).offers.map(({label}) => label);

  test('trying again is always among them, and first where it is likely to help', () => {
    expect(labels(at.check, failure('network-timeout', 'check'))[0]).toBe('Try again');
    expect(labels(at.check, failure('platform-error', 'check', 'platform'))[0]).toBe('Try again');
    expect(labels(at['obtain-token'], failure('auth-client-refused', 'obtain-token'))).toEqual([
      'Enter the client again',
      'Sign in another way',
      'Another base domain',
      'Try again',
      'Diagnostics',
      'Quit',
    ]);
  });

  test('a client that exists can be reused, renamed, or given a new secret', () => {
    const state = at['create-client'];
    const recoveries = failureView(state, failure('auth-client-exists', 'create-client')).offers.slice(0, -2);
    const outcomes = recoveries.map(recovery => {
      const event = 'ask' in recovery ? recovery.toEvent('mine') : 'event' in recovery ? recovery.event : undefined;
      if (!event) throw new Error(`${recovery.label} leads nowhere.`);
      const next = following({...state, failure: failure('auth-client-exists', 'create-client')}, event);
      return [recovery.label, currentStep(next).id, next.answers.clientId, next.answers.existingClient];
    });
    expect(outcomes).toEqual([
      ['Create one under another name', 'kept-client', 'mine', undefined],
      ['Set a new secret for it', 'create-client', undefined, 'reset-secret'],
      ['Use it with its secret', 'client', 'mcp_client', undefined],
      ['Try again', 'create-client', undefined, undefined],
    ]);
  });

  test('a file that cannot be written, and a sign-in that ended before the proof, lead where they can be mended', () => {
    expect(labels(at.review, failure('local-file-invalid', 'plan'))[0]).toBe('Choose the assistants again');
    expect(labels(at.verify, failure('auth-sign-in-required', 'verify'))[0]).toBe('Sign in again');
  });

  test('a missing observer can be done without', () => {
    const [, first] = failureView(
      at['find-deployment'],
      failure('platform-observer-missing', 'find-deployment'),
    ).offers;
    expect(first && 'event' in first && following(at['find-deployment'], first.event).answers.addresses).toEqual({
      observerUrl: 'none',
    });
  });
});
