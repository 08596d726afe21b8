import {describe, expect, test} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import {tickedOf} from '../../src/state/derived/wizard-targets.ts';
import type {WizardEvent} from '../../src/state/events.ts';
import type {Answers, Failure, StepId, WizardState} from '../../src/state/model.ts';
import {reduce} from '../../src/state/reducer.ts';
import {currentStep, wayBack} from '../../src/state/steps.ts';
import {contextAt} from '../support/context.ts';
import {at, deployment} from '../support/states.ts';

const following = (state: WizardState, ...events: readonly WizardEvent[]) => events.reduce(reduce, state);

const failure = (code: Failure['code'], step: Failure['step'], whose: Failure['whose'] = 'you'): Failure => ({
  code,
  step,
  whose,
  headline: 'It failed',
  message: 'It failed.',
  remedy: 'Mend it.',
});

describe('going back', () => {
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
    const state = {...at.review, initialAnswers: {connect}};
    expect(following(state, {type: 'went-back', to: 'sign-in'}).answers.connect).toEqual(connect);
    expect(following(state, {type: 'answered', answers: {clientId: 'other'}}).answers.connect).toEqual(connect);
    expect(following(state, {type: 'went-back', to: 'assistants'}).answers.connect).toBeUndefined();
    expect(following(at.review, {type: 'went-back', to: 'sign-in'}).answers.connect).toBeUndefined();
  });

  test('keeps what a flag answered of what comes later, and of what comes before', () => {
    const initialAnswers = {signIn: 'mcp-client', clientId: 'by-flag', deploymentAccepted: true, ownCli: true} as const;
    const state = {...at.review, initialAnswers, answers: {...at.review.answers, ownCli: false}};
    // An answer that was changed since returns to the flag's value.
    expect(following(state, {type: 'went-back', to: 'client'}).answers).toMatchObject({
      signIn: 'mcp-client',
      clientId: 'mcp_client',
      ownCli: true,
    });
    expect(following(state, {type: 'went-back', to: 'sign-in'}).answers).not.toHaveProperty('signIn');
    expect(following(state, {type: 'went-back', to: 'own-cli'}).answers).not.toHaveProperty('ownCli');
  });

  test('from a refused client leads to its form, with the ID that was typed', () => {
    const typed: WizardEvent = {
      type: 'answered',
      answers: {clientId: 'nobody', clientSecret: new Secret('s'), clientEntered: true},
    };
    const refused = following(at.client, typed, {
      type: 'failed',
      failure: failure('auth-client-refused', 'obtain-token'),
    });
    const back = wayBack(refused);
    expect(back).toEqual({type: 'went-back', to: 'client'});
    const form = following(refused, ...(back ? [back] : []));
    expect(currentStep(form).id).toBe('client');
    expect(form.answers.clientId).toBe('nobody');
  });

  test('forgets a client ID that was entered and refused, so that the same way takes the platform’s own', () => {
    const answers = {...at.review.answers, signIn: 'browser', clientId: 'other', clientFor: 'browser'} as const;
    const back = (initialAnswers: Partial<Answers>, code: Failure['code'] = 'auth-redirect-refused') => {
      const state = {...at.review, answers, initialAnswers, failure: failure(code, 'obtain-token')};
      return following(state, {type: 'went-back', to: 'sign-in'}).answers.clientId;
    };
    expect(back({})).toBeUndefined();
    expect(back({clientId: 'other'})).toBe('other');
    expect(back({}, 'network-timeout')).toBe('other');
  });

  test('notes a client secret that is refused, and no other failure of one', () => {
    const clientSecret = new Secret('dead');
    const state = {...at.review, answers: {...at.review.answers, clientSecret}};
    const noted = (code: Failure['code']) =>
      following(state, {type: 'failed', failure: failure(code, 'obtain-token')}).refusedSecrets;
    expect(noted('auth-client-refused')).toEqual([clientSecret]);
    expect(noted('network-timeout')).toBeUndefined();
  });

  test('notes the way to sign in that failed, unless its account only lacks a permission', () => {
    const way = (code: Failure['code'], step: StepId = 'check') =>
      following({...at.review, failure: failure(code, step)}, {type: 'went-back', to: 'sign-in'}).failedWay;
    expect(way('auth-client-refused')).toBe(at.review.answers.signIn);
    expect(way('auth-permission-missing')).toBeUndefined();
    expect(way('auth-no-role')).toBeUndefined();
    // Nobody has tried to sign in while the deployment cannot be reached.
    expect(way('network-refused', 'find-deployment')).toBeUndefined();
    expect(way('network-refused', 'obtain-token')).toBe(at.review.answers.signIn);
  });

  test('forgets what was told on the way', () => {
    const state = {...at.review, warnings: [{step: 'plan', message: 'careful'} as const]};
    expect(following(state, {type: 'went-back', to: 'client'})).toMatchObject({progress: [], warnings: []});
  });

  test('clears a failure', () => {
    const failed = {...at.check, failure: failure('network-timeout', 'check')};
    expect(following(failed, {type: 'went-back', to: 'sign-in'}).failure).toBeUndefined();
  });
});

test('who starts over has said what flags say, and nothing of what was typed before', () => {
  const initialAnswers = {clientId: 'ci'};
  const typed = {baseDomain: 'nonexistent.invalid', addresses: {observerUrl: 'http://nowhere'}};
  const state = {...at.deployment, initialAnswers, answers: {...initialAnswers, ...typed}};
  expect(following(state, {type: 'answered', answers: {begun: 'anew'}}).answers).toEqual({
    ...initialAnswers,
    begun: 'anew',
  });
});

describe('another platform that is not there', () => {
  const wrong = (baseDomain: string) => ({type: 'answered', answers: {baseDomain, addresses: {}}}) as const;
  const failed = {type: 'failed', failure: failure('platform-not-found', 'find-deployment')} as const;

  test('leads back to the one that was found', () => {
    const found = at.deployment;
    const typed = following(found, wrong('nonexistent.invalid'), failed);
    expect(typed.facts.deployment).toBeUndefined();
    const back = following(typed, wayBack(typed) ?? expect.fail());
    expect(currentStep(back).id).toBe('deployment');
    expect(back).toMatchObject({answers: found.answers, facts: found.facts});
    expect(back).not.toHaveProperty('failure');
  });

  test('leads back to it also after a second one', () => {
    let state = following(at.deployment, wrong('nonexistent.invalid'), failed, wrong('another.invalid'), failed);
    for (let count = 0; count < 2; count += 1) state = following(state, wayBack(state) ?? expect.fail());
    expect(currentStep(state).id).toBe('deployment');
    expect(state.facts.deployment).toEqual(at.deployment.facts.deployment);
  });

  test('is forgotten as a way back once one was found', () => {
    const state = following(at.deployment, wrong('acme.localhost'), {
      type: 'learned',
      step: 'find-deployment',
      facts: {deployment},
    });
    expect(state).not.toHaveProperty('answeredFailure');
  });
});

test('who names another platform in a run about the saved one starts over there', () => {
  const saved = contextAt('http://idp.acme.localhost:8080');
  const again = {deploymentAccepted: true, signIn: 'browser', resume: 'renew'} as const;
  const resumed = {...at.check, settings: {...at.check.settings, saved}, answers: again};
  const failed = {type: 'failed', failure: failure('network-refused', 'check')} as const;
  const typed = {baseDomain: 'http://api.acme.localhost:9090', addresses: {}};
  const state = following(resumed, failed, {type: 'answered', answers: typed});
  expect(currentStep(state).id).toBe('find-deployment');
  expect(state.answers).toEqual({resume: 'anew', ...typed});
  // Esc leads back to the saved platform.
  const back = following(state, {type: 'failed', failure: failure('platform-not-found', 'find-deployment')});
  expect(following(back, wayBack(back) ?? expect.fail()).answers).toEqual(again);
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

  test('goes with its secret, and stays without a way to sign in', () => {
    const clientSecret = new Secret('of ci');
    const named = [{signIn: 'service-account'}, {clientId: 'ci', clientSecret, clientEntered: true}] as const;
    expect(answers(...named)).toMatchObject({clientFor: 'service-account', clientSecret});
    const otherwise = answers(...named, {signIn: 'browser'});
    expect(otherwise).not.toHaveProperty('clientSecret');
    expect(otherwise).not.toHaveProperty('clientFor');
    const anyone = following(at['find-deployment'], {type: 'answered', answers: {clientId: 'ci'}}).answers;
    expect(anyone).toStrictEqual({clientId: 'ci'});
    expect(
      following(
        {...at.deployment, answers: {clientId: 'ci', clientFor: 'mcp-client'}},
        {type: 'answered', answers: {begun: 'go-on'}},
      ).answers,
    ).toMatchObject({clientId: 'ci'});
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

describe('whom one trusts', () => {
  const pem = {pem: 'PEM'};
  const trusting = (known: Answers, said: Answers) =>
    following({...at['find-deployment'], answers: known}, {type: 'answered', answers: said}).answers.authority;

  test('for one platform says nothing of another one', () => {
    expect(trusting({baseDomain: 'acme.localhost', authority: pem}, {baseDomain: 'other.localhost'})).toBeUndefined();
    expect(trusting({authority: pem}, {baseDomain: 'other.localhost'})).toBeUndefined();
  });

  test('stays for the same one, with other answers, and with one of its own', () => {
    expect(trusting({baseDomain: 'acme.localhost', authority: pem}, {baseDomain: 'acme.localhost'})).toEqual(pem);
    expect(trusting({baseDomain: 'acme.localhost', authority: pem}, {signIn: 'browser'})).toEqual(pem);
    expect(trusting({authority: pem}, {baseDomain: 'other.localhost', authority: {pem: 'NEW'}})).toEqual({pem: 'NEW'});
  });
});

describe('what a flow tells', () => {
  const event = {type: 'token-checked'} as never;

  test('is kept until the next step starts, under that one’s name', () => {
    const told = following(at.check, {type: 'step-started', step: 'check'}, event, event);
    expect(told).toMatchObject({progressOf: 'check', progress: [event, event]});
    expect(following(told, {type: 'step-started', step: 'plan'})).toMatchObject({progressOf: 'plan', progress: []});
  });

  test('and what it ends with is added to what is known', () => {
    const learned = {type: 'learned', step: 'check', facts: {signInSaved: true}} as const;
    expect(following(at.check, learned).facts).toEqual({...at.check.facts, signInSaved: true});
    expect(following(at.check, {type: 'failed', failure: failure('network-timeout', 'check')}).failure).toMatchObject({
      code: 'network-timeout',
    });
  });

  test('of a client that it created is remembered, whatever is forgotten', () => {
    const created = {type: 'client-created', clientId: 'mcp_client'} as const;
    const state = following(at['create-client'], created, {...created, clientId: 'another'});
    expect(state).toMatchObject({created: ['mcp_client', 'another'], progress: [created, {clientId: 'another'}]});
    expect(following(state, {type: 'went-back', to: 'sign-in'}).created).toEqual(['mcp_client', 'another']);
  });
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
  const result = (event: object) =>
    following(waiting, {...started, ms: 4, curl: '', ...event} as never).calls[0]?.answer;
  expect(result({type: 'call-answered', status: 200})).toMatchObject({result: '200', failed: false});
  expect(result({type: 'call-answered', status: 399})).toMatchObject({failed: false});
  expect(result({type: 'call-answered', status: 400})).toMatchObject({failed: true});
  expect(result({type: 'call-failed', message: 'refused'})).toEqual({result: 'refused', failed: true, ms: 4, curl: ''});
  // The answer to another call does not count.
  expect(result({type: 'call-answered', status: 200, call: 2})).toBeUndefined();
  const two = following(waiting, {...started, call: 2});
  expect(two.calls.map(({call}) => call)).toEqual([1, 2]);
});

test('a warning is said once', () => {
  const warning = {type: 'warning', message: 'careful'} as const;
  const said = following(at.review, warning, {...warning, message: 'more'}, warning);
  expect(said.warnings.map(({message}) => message)).toEqual(['careful', 'more']);
});

test('a step that runs again forgets what it warned of, and nothing else', () => {
  const warnings = [{step: 'check', message: 'of the check'} as const, {step: 'plan', message: 'outdated'} as const];
  const again = following({...at.review, warnings}, {type: 'step-started', step: 'plan'});
  expect(again.warnings).toEqual([{step: 'check', message: 'of the check'}]);
});
