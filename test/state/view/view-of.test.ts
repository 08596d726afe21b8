import {describe, expect, test} from 'vitest';
import type {Failure, WizardState} from '../../../src/state/model.ts';
import {headerOf, viewOf} from '../../../src/state/view/view-of.ts';
import {at, having as telling} from '../../support/states.ts';

const failure: Failure = {
  step: 'check',
  code: 'network-timeout',
  whose: 'you',
  headline: 'It failed',
  message: 'No.',
  remedy: '',
};

describe('a view', () => {
  test('is the question that is put, and where Esc leads', () => {
    const view = viewOf(at.client, 0);
    expect(view).toMatchObject({step: 'client', key: 'client ', back: {type: 'went-back', to: 'sign-in'}});
    expect(view.body).toMatchObject({type: 'form', heading: 'Which client should sign in?'});
    expect(viewOf(at.deployment, 0)).not.toHaveProperty('back');
    // A step with more to say has a heading of its own.
    expect(viewOf(at.deployment, 0).body).toMatchObject({heading: 'Found your platform at acme.localhost'});
  });

  test('is another question after a failure', () => {
    const view = viewOf({...at.check, failure}, 0);
    expect(view.key).toBe('check network-timeout');
    expect(view.body).toMatchObject({type: 'question', heading: 'It failed'});
  });

  test('is what runs: its rows, and its own calls', () => {
    const call = {call: 1, step: 'check', method: 'GET', url: 'http://x'} as const;
    const state = {...at.check, calls: [call, {...call, call: 2, step: 'obtain-token'}]} as WizardState;
    expect(viewOf(state, 0).body).toMatchObject({
      type: 'progress',
      heading: 'Checking that everything answers',
      rows: {length: 4},
      calls: [call],
    });
    const searching = {...at['find-deployment'], calls: [{...call, step: 'find-deployment'}]} as WizardState;
    expect(viewOf(searching, 0).body).toMatchObject({type: 'progress', calls: []});
  });

  test('is the wait for a person, once it has begun', () => {
    expect(viewOf(at['obtain-token'], 0).body.type).toBe('progress');
    const waiting = {type: 'sign-in-waiting', url: 'http://x', redirectUri: 'http://x:1/cb'} as never;
    expect(viewOf(telling(at['obtain-token'], waiting), 0).body.type).toBe('waiting');
  });
});

describe('the stages', () => {
  const stages = (state: WizardState) => headerOf(state).stages.map(({name, status}) => `${name} ${status}`);

  test('are done, current or to come', () => {
    expect(stages(at.check)).toEqual([
      'Deployment done',
      'Sign in done',
      'Check current',
      'Assistants to-come',
      'Review to-come',
    ]);
    expect(stages(at['find-deployment'])[0]).toBe('Deployment current');
  });

  test('are all done at the end', () => {
    expect(stages(at.done).at(-1)).toBe('Review done');
    expect(stages(at.review).at(-1)).toBe('Review current');
  });

  test('are those of this run alone', () => {
    const login = {...at.check, settings: {...at.check.settings, login: true}};
    const names = headerOf(login).stages.map(({name}) => name);
    expect(names).toEqual(['Deployment', 'Sign in', 'Check', 'Review']);
  });
});

test('the receipts are of what is finished', () => {
  expect(headerOf(at.review).receipts.map(({label}) => label)).toEqual([
    'Deployment',
    'Signed in',
    'Checked',
    'Assistants',
  ]);
  expect(headerOf(at['find-deployment']).receipts).toEqual([]);
});
