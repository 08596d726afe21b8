import {describe, expect, test} from 'vitest';
import type {WizardEvent} from '../../../src/state/events.ts';
import type {CallLine, Failure, WizardState} from '../../../src/state/model.ts';
import {reduce} from '../../../src/state/reducer.ts';
import {currentStep} from '../../../src/state/steps.ts';
import {failureView} from '../../../src/state/view/failure-view.ts';
import type {FailureBlock} from '../../../src/state/view/view.ts';
import {at} from '../../support/states.ts';

const following = (state: WizardState, ...events: readonly WizardEvent[]) => events.reduce(reduce, state);

const failure = (code: Failure['code'], step: Failure['step'], whose: Failure['whose'] = 'you'): Failure => ({
  code,
  step,
  whose,
  headline: 'It failed',
  message: 'It failed.',
  remedy: 'Mend it.',
});

describe('the ways on from a failure', () => {
  const labels = (state: WizardState, one: Failure) => failureView(state, one).offers.map(({label}) => label);

  test('trying again is among them, and first where it is likely to help', () => {
    expect(labels(at.check, failure('network-timeout', 'check'))[0]).toBe('Try again');
    expect(labels(at.check, failure('platform-error', 'check', 'platform'))[0]).toBe('Try again');
    // The person corrects the clock outside of the wizard.
    expect(labels(at.check, failure('auth-clock', 'check'))[0]).toBe('Try again');
    expect(labels(at['obtain-token'], failure('auth-client-refused', 'obtain-token'))).toEqual([
      'Enter the client again',
      'Sign in another way',
      'Another base domain',
      'Try again',
      'Diagnostics',
      'Quit',
    ]);
  });

  test('trying again comes first if somebody else has to change something before', () => {
    const remedy = 'Ask the operators of Thunder to change this.';
    const ofToken = {...failure('auth-audience-wrong', 'check', 'either'), remedy};
    expect(labels(at.check, ofToken)[0]).toBe('Try again');
    // Whoever created the client has entered the right administrator: once more would only reset its secret.
    const answers = {...at.check.answers, signIn: 'create-mcp-client'} as const;
    expect(labels({...at.check, answers}, ofToken)).not.toContain('Enter the administrator again');
    expect(labels(at.check, {...failure('auth-no-role', 'check'), remedy})[0]).toBe('Wait for the role');
  });

  test('a sign-in that failed is offered once: signing in again is to try again', () => {
    const timeout = {...failure('auth-sign-in-timeout', 'obtain-token'), remedy: 'Sign in again.'};
    const offered = labels(at['obtain-token'], timeout);
    expect(offered[0]).toBe('Sign in again');
    expect(offered).not.toContain('Try again');
    expect(labels(at.verify, {...timeout, step: 'verify'})).toContain('Try again');
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
      ['Create one with another name', 'kept-client', 'mine', undefined],
      ['Set a new secret for it', 'create-client', undefined, 'reset-secret'],
      ['Use it with its secret', 'client', 'mcp_client', undefined],
      ['Try again', 'create-client', undefined, undefined],
    ]);
  });

  test('a file that cannot be written, and a sign-in that ended before the proof, lead where they can be mended', () => {
    expect(labels(at.review, failure('local-file-invalid', 'plan'))[0]).toBe('Choose the assistants again');
    expect(labels(at.verify, failure('auth-sign-in-required', 'verify'))[0]).toBe('Sign in again');
  });

  test('a file that has changed since is reviewed again, and not written by trying again', () => {
    const offered = labels(at.write, {
      ...failure('local-file-changed', 'write'),
      remedy: 'Run the same command again.',
    });
    expect(offered).toEqual(['Review the changes again', 'Diagnostics', 'Quit']);
    const {about} = failureView(at.write, failure('local-file-changed', 'write'));
    expect(about).toMatchObject([{remedy: 'Review the changes again. They are now based on the current file.'}]);
  });

  test('a sign-in that ended before the proof is begun again in the same way, not chosen anew', () => {
    const [again] = failureView(at.verify, failure('auth-sign-in-required', 'verify')).offers;
    const event = again && 'event' in again ? again.event : expect.fail('It leads nowhere.');
    const next = following({...at.verify, failure: failure('auth-sign-in-required', 'verify')}, event);
    expect([currentStep(next).id, next.answers.signIn]).toEqual(['obtain-token', at.verify.answers.signIn]);
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

const untrusted = {
  origin: 'https://api.acme.example.com',
  anchor: {subject: 'Acme CA', issuer: 'Acme CA', validTo: 0, fingerprint: 'AB', pem: 'PEM'},
  isWhole: true,
} as never;

describe('a failure as a question', () => {
  test('is a trouble, and stands on its first way on', () => {
    expect(failureView(at.check, failure('network-timeout', 'check'))).toMatchObject({
      heading: 'It failed',
      initial: 0,
      isTrouble: true,
    });
  });

  test('of a step without ways of its own can be tried again', () => {
    const labels = failureView(at.review, failure('bug', 'find-assistants', 'us')).offers.map(({label}) => label);
    expect(labels).toEqual(['Try again', 'Diagnostics', 'Quit']);
  });

  test('about plain http to no host that is named is none that can be decided', () => {
    expect(failureView(at.check, failure('network-insecure', 'check'))).toMatchObject({heading: 'It failed'});
  });

  test('that nothing was found is no trouble', () => {
    const view = failureView(at['find-deployment'], failure('platform-not-found', 'find-deployment'));
    expect(view).toMatchObject({heading: 'No platform found yet'});
    const remedy = expect.stringMatching(/acme\.example\.com\..*global\.baseDomain/);
    expect(view.about).toMatchObject([{isCalm: true, message: 'It failed.', remedy}]);
    expect(view).not.toHaveProperty('isTrouble');
  });

  test('about whom to trust stands on the last way on: nobody is trusted by a slip of the finger', () => {
    const view = failureView(at.check, {...failure('network-tls', 'check'), untrusted});
    expect(view.heading).toBe('Do you trust this authority?');
    expect(view).not.toHaveProperty('isTrouble');
    expect(view.offers[0]?.label).toBe('Trust it for this platform');
    expect(view.offers[view.initial]).toEqual({label: 'Quit', leave: 'failed'});
    // Trying again is unlikely to help.
    const labels = view.offers.map(({label}) => label);
    expect(labels.indexOf('Try again')).toBeGreaterThan(labels.indexOf('Trust it for this platform'));
  });

  test('about plain http asks, names the host, and stands on the last way on as well', () => {
    const about = {server: 'http://api.acme.lan:8080'};
    const view = failureView(at.check, {...failure('network-insecure', 'check'), about});
    expect(view).toMatchObject({heading: 'Send tokens to api.acme.lan without encryption?'});
    expect(view).not.toHaveProperty('isTrouble');
    expect(view.offers.map(({label}) => label)).toEqual([
      'Allow it this time',
      'Always allow it for this platform',
      'Change an address',
      'Another base domain',
      'Try again',
      'Diagnostics',
      'Quit',
    ]);
    expect(view.initial).toBe(6);
  });

  test('of a port that is taken is likely gone when it is tried again', () => {
    const [first] = failureView(at['obtain-token'], failure('local-port-taken', 'obtain-token')).offers;
    expect(first).toEqual({label: 'Try again', event: {type: 'retried'}});
  });

  test('leads to a diagnosis where there is something to be diagnosed', () => {
    const nowhere = {...at['find-deployment'], answers: {baseDomain: 'no good'}};
    const labels = failureView(nowhere, failure('input-invalid', 'find-deployment')).offers.map(({label}) => label);
    expect(labels).not.toContain('Diagnostics');
  });

  test('says how to register the client that may be missing', async () => {
    const person = {...at['obtain-token'], answers: {...at['obtain-token'].answers, signIn: 'browser'}} as const;
    const guide = await failureView(person, failure('auth-client-refused', 'obtain-token')).guide?.(0)?.();
    expect(guide?.text).toContain('externalClients');
    expect(failureView(at['obtain-token'], failure('auth-client-refused', 'obtain-token'))).not.toHaveProperty('guide');
  });
});

describe('what is said of a failure', () => {
  const blockOf = (state: WizardState, change: Partial<Failure> = {}) => {
    const {about = []} = failureView(state, {...failure('platform-error', 'check', 'platform'), ...change});
    return about[0] as FailureBlock;
  };
  const call = (change: Partial<CallLine>): CallLine => ({
    call: 1,
    step: 'check',
    method: 'GET',
    url: 'http://api.acme.localhost:8080/health',
    answer: {result: '503', failed: true, ms: 4, curl: 'curl'},
    ...change,
  });
  const calling = (...calls: readonly CallLine[]): WizardState => ({...at.check, calls});
  const about = {url: 'http://api.acme.localhost:8080/health', server: 'http://api.acme.localhost:8080'};

  test('is what happened, whose turn it is, and what to do', () => {
    expect(blockOf(at.check)).toStrictEqual({
      type: 'failure',
      message: 'It failed.',
      whose: 'platform',
      rows: [],
      remedy: 'Mend it.',
    });
  });

  test('has the lines to be copied apart', () => {
    expect(blockOf(at.check, {remedy: 'Run this:', block: 'kubectl get pods'})).toMatchObject({
      remedy: 'Run this:',
      block: 'kubectl get pods',
    });
  });

  test('has the call to its address that failed', () => {
    const [meant, other] = [call({}), call({call: 2, url: 'http://api.acme.localhost:8080/version'})];
    expect(blockOf(calling(meant, other), {about}).call).toBe(meant);
    expect(blockOf(calling(meant, call({call: 3})), {about}).call).toMatchObject({call: 3});
  });

  test('else has the last call to the same server, if that is what failed', () => {
    const other = call({url: 'http://api.acme.localhost:8080/version'});
    expect(blockOf(calling(other), {about}).call).toBe(other);
    const well = call({call: 2, answer: {result: '200', failed: false, ms: 4, curl: 'curl'}});
    expect(blockOf(calling(other, well), {about})).not.toHaveProperty('call');
    const {answer: _, ...open} = well;
    expect(blockOf(calling(open), {about})).not.toHaveProperty('call');
  });

  test('has no call of another step, or to another server', () => {
    expect(blockOf(calling(call({step: 'find-deployment'})), {about})).not.toHaveProperty('call');
    expect(blockOf(calling(call({url: 'http://other.localhost/'})), {about})).not.toHaveProperty('call');
    expect(blockOf(calling(call({})))).not.toHaveProperty('call');
    expect(blockOf(calling(), {about})).not.toHaveProperty('call');
  });

  test('has the rows of its step where they say more than the call, but for those that still wait', () => {
    const probe = {service: 'control-plane', url: 'http://api.acme.localhost:8080'} as const;
    const state: WizardState = {
      ...at['find-deployment'],
      calls: [call({step: 'find-deployment'})],
      progress: [
        {type: 'probe-answered', ...probe, outcome: 'down', detail: 'refused', ms: 3},
        {type: 'probe-started', ...probe, url: 'http://api.acme.localhost', atMost: 2000},
      ],
    };
    const block = blockOf(state, {step: 'find-deployment', about});
    expect(block.rows).toMatchObject([{status: 'none', label: 'Control plane', ms: 3}]);
    expect(block).not.toHaveProperty('call');
    // The events of most steps do not appear.
    const answered = state.progress.slice(0, 1);
    expect(blockOf({...at.check, progress: answered}).rows).toEqual([]);
    // There is nothing else to show.
    expect(blockOf({...state, progress: []}, {step: 'find-deployment', about}).call).toBeDefined();
  });
});

test('two identity providers are a question, with advice that names no flag', () => {
  const of = {...failure('auth-issuer-mismatch', 'find-deployment'), whose: 'platform', headline: 'It failed'} as const;
  const issuers = {trusted: 'http://idp', given: 'http://other'};
  const view = failureView(at['find-deployment'], {...of, about: {issuers}});
  expect(view).toMatchObject({heading: 'Where do you sign in?', initial: 0});
  expect(view).not.toHaveProperty('isTrouble');
  expect(view.offers.map(({label}) => label).slice(0, 2)).toEqual([
    'Sign in at http://idp',
    'Sign in at http://other anyway',
  ]);
  expect(view.about).toMatchObject([
    {isCalm: true, remedy: expect.stringMatching(/^The control plane refuses [^-]+$/)},
  ]);
});
