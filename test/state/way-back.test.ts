import {describe, expect, test} from 'vitest';
import type {Context} from '../../src/domain/context.ts';
import {answered} from '../../src/state/events.ts';
import {type Answers, type Facts, initialState, type StepId, type WizardState} from '../../src/state/model.ts';
import {reduce} from '../../src/state/reducer.ts';
import {currentStep, stepBefore, steps, stepsOf} from '../../src/state/steps.ts';
import {viewOf} from '../../src/state/view/view-of.ts';
import {questionIn} from '../support/standing-wizard.ts';
import {at, deployment, settings} from '../support/states.ts';

const {token, check, found, plan} = at.review.facts;

const saved: Context = {
  ...{name: 'acme', platform: 'bundled', baseDomain: 'acme.localhost', layout: 'single'},
  ...{controlPlaneUrl: deployment.controlPlaneUrl, observerUrl: deployment.observerUrl ?? ''},
  ...{authUrl: deployment.authUrl, issuer: deployment.issuer, signIn: 'browser', clientId: 'cli', entries: []},
};

const again: Answers = {deploymentAccepted: true, clientId: 'cli', signIn: 'browser'};

/** What each step finds out or is told, so that the wizard goes on behind it. */
const ends: {readonly [S in StepId]?: (state: WizardState) => WizardState} = {
  'inspect-sign-in': learning({inspectedSignIn: {state: 'alive', token}} as never),
  'company-file': saying({company: 'without'}),
  'cluster-authority': learning({}),
  'find-deployment': learning({deployment, companyFile: {baseDomain: 'acme.localhost'}}),
  deployment: saying({deploymentAccepted: true}),
  'sign-in': saying({signIn: 'browser'}),
  'obtain-token': learning({...(token ? {token} : {})}),
  'save-sign-in': learning({signInSaved: true}),
  check: learning({...(check ? {check} : {})}),
  'find-assistants': learning({...(found ? {found} : {})}),
  assistants: saying({connect: {assistants: ['generic'], scope: 'user', method: 'header'}}),
  'find-own-cli': learning({ownCli: {installed: false}} as never),
  'own-cli': saying({ownCli: false}),
  plan: learning({...(plan ? {plan} : {})}),
};

function learning(facts: Partial<Facts>) {
  return (state: WizardState) => reduce(state, {type: 'learned', step: currentStep(state).id, facts});
}

function saying(answers: Partial<Answers>) {
  return (state: WizardState) => reduce(state, answered(answers));
}

/** Every point at which a run stands, from its beginning to the review. */
const walk = (begin: WizardState): readonly WizardState[] => {
  const states = [begin];
  for (let state = begin; currentStep(state).id !== 'review'; ) {
    const {id} = currentStep(state);
    const next = ends[id]?.(state);
    if (!next || currentStep(next).id === id) break;
    states.push(next);
    state = next;
  }
  return states;
};

const resumed = {
  ...initialState({...settings, saved, again}),
  facts: {inspectedSignIn: {state: 'alive', token}},
} as never;

/** Every way into the wizard, and where Esc leads from the questions and the flows behind it. */
const waysIn: readonly (readonly [string, WizardState, Readonly<Partial<Record<StepId, StepId | undefined>>>])[] = [
  [
    'a first run',
    initialState(settings),
    {deployment: undefined, 'sign-in': 'deployment', check: 'sign-in', assistants: 'sign-in', review: 'assistants'},
  ],
  [
    'a run whose sign-in a flag says',
    {...initialState(settings), given: {signIn: 'browser'}, answers: {signIn: 'browser'}},
    {'obtain-token': 'sign-in', check: 'sign-in', assistants: 'sign-in', review: 'assistants'},
  ],
  ['Check and renew, from home', reduce(resumed, answered({...again, resume: 'renew'})), {check: 'home'}],
  [
    'Connect assistants, from home',
    reduce(resumed, answered({...again, resume: 'connect'})),
    {'obtain-token': 'home', check: 'home', assistants: 'home', review: 'assistants'},
  ],
  [
    'Sign in again, from home',
    reduce(resumed, answered({...again, resume: 'sign-in'})),
    {'obtain-token': 'home', check: 'home'},
  ],
  [
    'mcp connect',
    initialState({...settings, saved, again}, {...again, resume: 'connect'}),
    {'obtain-token': undefined, check: undefined, assistants: undefined, review: 'assistants'},
  ],
  ['login', initialState({...settings, saved, again}, {...again, resume: 'sign-in'}), {check: undefined}],
];

describe.each(waysIn)('in %s', (_name, begin, expected) => {
  const states = walk(begin);

  test('Esc leads to the question that the person came from', () => {
    const seen = Object.fromEntries(states.map(state => [currentStep(state).id, stepBefore(state)]));
    expect(seen).toMatchObject(expected);
  });

  test('Esc and the same answers lead back to every step, and no question comes that nobody asked for', () => {
    for (const state of states) {
      const to = stepBefore(state);
      if (to === undefined) continue;
      const back = reduce(state, {type: 'went-back', to});
      expect(currentStep(back).id).toBe(to);
      expect(viewOf(back, 0).step).toBe(to);
      // It is one that the person has been at, or one that a flag has answered for them.
      const here = new Set(states.map(one => currentStep(one).id));
      expect(here.has(to) || to === 'home' || (to === 'sign-in' && begin.given.signIn !== undefined)).toBe(true);
    }
  });

  test('Esc, as often as it leads anywhere, ends', () => {
    for (const begun of states) {
      let state = begun;
      for (let count = 0; stepBefore(state) !== undefined; count += 1) {
        expect(count).toBeLessThan(steps.length);
        state = reduce(state, {type: 'went-back', to: stepBefore(state) ?? 'home'});
      }
    }
  });
});

test('every step is at a point of one of these ways, or is there in a run that none of them is', () => {
  const reached = new Set(waysIn.flatMap(([, begin]) => walk(begin).map(state => currentStep(state).id)));
  const others = steps.map(({id}) => id).filter(id => !reached.has(id));
  expect(others.toSorted()).toEqual(
    [
      // Asked about an earlier run, in a cluster, or where there are several.
      ...['unfinished', 'inspect-sign-in', 'home', 'signed-out', 'cluster-authority', 'which-deployment'],
      // Of other ways to sign in, and of what comes after the review.
      ...['client', 'kept-client', 'admin', 'create-client', 'own-token', 'oauth-client', 'company-file'],
      ...['find-own-cli', 'own-cli', 'write', 'verify'],
    ].toSorted(),
  );
});

describe('a sign-in that a person goes back from', () => {
  const chosen = walk(initialState(settings)).find(state => currentStep(state).id === 'assistants') ?? expect.fail();
  const back = reduce(chosen, {type: 'went-back', to: 'sign-in'});

  test('can be stayed with, which is the first choice, and asks for nothing', () => {
    const {offers, initial} = questionIn(back);
    expect(offers[0]?.label).toBe('Stay signed in as mcp_client');
    expect(initial).toBe(0);
    const stayed = reduce(back, {type: 'stayed-signed-in'});
    expect(stayed.facts.token).toBe(chosen.facts.token);
    expect(stayed.answers.signIn).toBe('browser');
    expect(currentStep(stayed).id).toBe('check');
  });

  test('is there until another one has worked', () => {
    const another = reduce(back, answered({signIn: 'browser'}));
    expect(currentStep(another).id).toBe('obtain-token');
    const gaveUp = reduce(another, {type: 'went-back', to: 'sign-in'});
    expect(questionIn(gaveUp).offers[0]?.label).toBe('Stay signed in as mcp_client');
    const signedIn = learning({token: {...(token ?? expect.fail()), account: 'ann'}})(another);
    expect(questionIn(reduce(signedIn, {type: 'went-back', to: 'sign-in'})).offers[0]?.label).toBe(
      'Stay signed in as ann',
    );
  });

  test('is not offered for another deployment, nor after a server has refused it', () => {
    const elsewhere = {...back, facts: {...back.facts, deployment: {...deployment, issuer: 'https://other.example'}}};
    expect(questionIn(elsewhere).offers[0]?.label).not.toContain('Stay');
    const failure = {step: 'check', code: 'auth-token-refused', message: '', remedy: '', whose: 'you'} as const;
    const refused = reduce({...chosen, failure}, {type: 'went-back', to: 'sign-in'});
    expect(questionIn(refused).offers[0]?.label).not.toContain('Stay');
  });
});

test('after every assistant was unticked, Esc leads back to the ticks', () => {
  const connecting = walk(reduce(resumed, answered({...again, resume: 'connect'})));
  const choosing = connecting.find(state => currentStep(state).id === 'assistants') ?? expect.fail();
  const none = reduce(choosing, answered({connect: {assistants: [], scope: 'user', method: 'auto'}}));
  expect(stepsOf(none).map(({id}) => id)).toContain('assistants');
  expect(stepBefore(none)).toBe('assistants');
});
