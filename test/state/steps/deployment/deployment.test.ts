import {describe, expect, test} from 'vitest';
import type {NetworkSettings} from '../../../../src/domain/context.ts';
import type {FlowEvent} from '../../../../src/flows/flow.ts';
import type {WizardState} from '../../../../src/state/model.ts';
import {deployment as step} from '../../../../src/state/steps/deployment/deployment.ts';
import {at, deployment, having as telling} from '../../../support/states.ts';

const having = (change: object): WizardState => ({...at.deployment, facts: {deployment: {...deployment, ...change}}});

test('a deployment is accepted once', () => {
  expect([step.done(at.deployment), step.done(at['sign-in'])]).toEqual([false, true]);
  expect(step.forgets).toEqual({answers: ['deploymentAccepted'], facts: []});
  expect(step.defaultAnswer()).toEqual({deploymentAccepted: true});
});

test('it is used, changed, or looked for again', () => {
  const {offers, initial, heading} = step.ask(at.deployment);
  expect(initial).toBe(0);
  expect(heading).toBe('Found your platform at acme.localhost');
  expect(step.ask(having({layout: 'unknown'})).heading).toBe('Found your platform at acme.localhost');
  expect(JSON.stringify(step.ask(having({layout: 'unknown', evidence: ''})))).not.toMatch(/layout|Layout|"text":""/);
  expect(offers).toMatchObject([
    {label: 'Use this deployment', event: {type: 'answered', answers: {deploymentAccepted: true}}},
    {label: 'Change an address'},
    {label: 'Another base domain', initial: 'acme.localhost'},
    {label: 'Search again', event: {type: 'went-back', to: 'find-deployment'}},
  ]);
});

test('a new search looks for the observer again that the person left out, unless a flag did', () => {
  const without = {observerUrl: 'none', authUrl: 'http://idp.acme.localhost:8080'};
  const again = (answers: WizardState['answers'], initialAnswers: WizardState['answers'] = {}) =>
    step.ask({...at.deployment, answers, initialAnswers}).offers.at(-1);
  const {observerUrl, ...others} = without;
  expect(again({addresses: without})).toHaveProperty('event.answers', {addresses: others});
  const typed = {addresses: {...others, observerUrl: 'http://observer.acme.localhost:1'}};
  expect(again({addresses: without}, typed)).toHaveProperty('event.answers', typed);
  expect(again({addresses: without}, {addresses: {observerUrl}})).toHaveProperty('event.type', 'went-back');
});

describe('what is said of it', () => {
  test('is why it is taken for that, and where each part answers', () => {
    expect(step.ask(at.deployment).about).toStrictEqual([
      {type: 'text', text: `Layout: single-cluster. ${deployment.evidence}`, tone: 'dim'},
      {
        type: 'rows',
        rows: [
          {key: 'control-plane', status: 'ok', label: 'Control plane 0.14.0', value: deployment.controlPlaneUrl},
          {key: 'observer', status: 'ok', label: 'Observer', value: deployment.observerUrl},
          {key: 'identity-provider', status: 'ok', label: 'Identity provider', value: deployment.authUrl},
        ],
      },
    ]);
  });

  test('is that there is no observer', () => {
    const {about} = step.ask(having({observerUrl: undefined, version: undefined}));
    expect(about[1]).toMatchObject({rows: [{label: 'Control plane'}, {key: 'identity-provider'}]});
    expect(about[2]).toMatchObject({type: 'status', status: 'warning', text: expect.stringContaining('observer')});
  });

  test('is how long each took to answer', () => {
    const answer = (service: string, outcome: string, ms: number) =>
      ({type: 'probe-answered', service, url: 'http://x', outcome, detail: '', ms}) as FlowEvent;
    const state = telling(
      at.deployment,
      answer('observer', 'up', 5),
      answer('observer', 'down', 9),
      answer('control-plane', 'up', 7),
      {type: 'probe-started', service: 'identity-provider', url: 'http://x', atMost: 1},
    );
    const [, rows] = step.ask(state).about;
    expect(rows && 'rows' in rows && rows.rows.map(row => typeof row === 'object' && 'ms' in row && row.ms)).toEqual([
      7,
      5,
      false,
    ]);
  });
});

describe('the receipt', () => {
  const receipts = (network: NetworkSettings = {}, change: object = {}) => {
    const {facts, settings, ...state} = at['sign-in'];
    return step.receipts({
      ...state,
      settings: {...settings, network},
      facts: {...facts, deployment: {...deployment, controlPlaneUrl: 'https://api.acme.example.com', ...change}},
    });
  };

  test('is what was accepted', () => {
    expect(step.receipts(at.deployment)).toEqual([]);
    expect(step.receipts({...at['sign-in'], facts: {}})).toEqual([]);
    expect(receipts()).toEqual([{label: 'Deployment', text: 'acme.localhost, single-cluster'}]);
  });

  test.each<[NetworkSettings, string]>([
    [{proxy: 'none'}, 'no proxy'],
    [{proxy: 'environment'}, 'each shell’s own proxy'],
    [{proxy: {http: 'http://p:1', https: 'http://p:1'}}, 'proxy http://p:1'],
    [{proxy: {http: 'http://p:1', https: 'http://s:1'}}, 'proxy http://s:1, proxy http://p:1'],
    [{proxy: {https: 'http://s:1'}}, 'proxy http://s:1'],
    [{authority: {file: '/ca.pem'}}, 'certificate authority /ca.pem'],
    [{authority: {pem: 'PEM'}}, 'certificate authority you trusted'],
    [{clientCertificate: {certificate: '/me.pem', key: '/me.key'}}, 'client certificate /me.pem'],
  ])('has what is kept of the way there: %j', (network, text) => {
    expect(receipts(network)[1]).toEqual({label: 'Network', text});
  });

  test('has no way where all of it is on this machine', () => {
    expect(receipts({proxy: 'none'}, {controlPlaneUrl: deployment.controlPlaneUrl})).toHaveLength(1);
  });
});
