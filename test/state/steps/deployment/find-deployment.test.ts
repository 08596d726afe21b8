import {describe, expect, test} from 'vitest';
import {cursor} from '../../../../src/assistants/catalogue/cursor.ts';
import {TOOL_TIMEOUT} from '../../../../src/flows/time-limits.ts';
import type {Ports} from '../../../../src/ports/ports.ts';
import type {Answers, Failure, Settings, WizardState} from '../../../../src/state/model.ts';
import {findDeployment} from '../../../../src/state/steps/deployment/find-deployment.ts';
import {toLine, toRow} from '../../../../src/state/view/progress.ts';
import {contextAt} from '../../../support/context.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const start = at['find-deployment'];

const having = (settings: Partial<Settings>, answers: Answers = {}): WizardState => ({
  ...start,
  settings: {...start.settings, ...settings},
  answers,
});

test('a search ends with a deployment, or with several, and begins again with another address', () => {
  expect(findDeployment.done(start)).toBe(false);
  expect(findDeployment.done(at.deployment)).toBe(true);
  expect(findDeployment.done({...start, facts: {deploymentChoices: []}})).toBe(true);
  expect(findDeployment.forgets).toEqual({answers: [], facts: ['deployment', 'deploymentChoices']});
  expect(findDeployment.reopenedBy).toEqual(['baseDomain', 'addresses']);
});

describe('what is looked for', () => {
  const search = async (state: WizardState, outcome: object = {deployment}) => {
    const asked = replaceFlows('deployment/find-deployment.ts', {findDeployment: {outcome}});
    const {result} = await runStep(findDeployment, state);
    return {result, input: asked.findDeployment};
  };

  test('is any platform, where nobody says which', async () => {
    const {result, input} = await search(start);
    expect(result).toEqual({deployment});
    expect(input).toStrictEqual([{platforms: [start.settings.platform], layout: 'auto', addresses: {}}]);
  });

  test('is the one that was named', async () => {
    const addresses = {controlPlaneUrl: 'http://api'};
    const {input} = await search(having({contextName: 'mine'}, {baseDomain: 'acme.localhost', addresses}));
    expect(input).toMatchObject([{baseDomain: 'acme.localhost', addresses, context: 'mine'}]);
  });

  test('may be more than one', async () => {
    const choices = [{source: 'given', name: 'x', controlPlaneUrl: 'http://api'}];
    expect((await search(start, {choices})).result).toEqual({deploymentChoices: choices});
  });

  test('goes on while a look around names the assistants that are here, once', async () => {
    const searched = {outcome: {deployment}, events: [{type: 'source-started', source: 'given'} as const]};
    replaceFlows('deployment/find-deployment.ts', {findDeployment: [searched, searched, searched]});
    const ports = {
      config: {read: async () => ({contexts: []})},
      files: {holdsOther: async (path: string) => path.includes('.cursor')},
      processes: {find: async () => undefined},
    } as unknown as Ports;
    const told = async (state: WizardState) => (await runStep(findDeployment, state, ports)).events;
    const here = having({assistants: [cursor]});
    const both = [{type: 'assistants-seen', names: ['Cursor']}, ...searched.events];
    expect(new Set(await told(here))).toEqual(new Set(both));
    expect(await told({...here, seen: []})).toEqual(searched.events);
    // The demonstration ignores the assistants on the machine.
    expect(await told(having({assistants: [cursor], demo: {directory: '/x'}}))).toEqual(searched.events);
  });

  test('is known where a saved one is resumed', async () => {
    const saved = contextAt('http://idp.acme.localhost:8080');
    const {result, input} = await search(having({saved}, {resume: 'renew'}));
    expect(result).toMatchObject({deployment: {evidence: 'As saved.', baseDomain: 'acme.localhost'}});
    expect(input).toEqual([]);
  });
});

describe('where nothing comes of it', () => {
  const recovered = (change: Partial<Failure>) =>
    findDeployment.recovery(start, {
      step: 'find-deployment',
      code: 'network-timeout',
      whose: 'you',
      headline: 'It failed',
      message: '',
      remedy: '',
      ...change,
    });
  const labels = (change: Partial<Failure>) => recovered(change).offers.map(({label}) => label);

  test('another address is tried, or the observer is done without where it is that', () => {
    expect(labels({})).toEqual(['Another base domain']);
    const observer = ['Enter the observer’s address', 'Go on without the observer', 'Another base domain'];
    expect(labels({about: {isObserver: true}})).toEqual(observer);
    expect(labels({code: 'platform-observer-missing'})).toEqual(observer);
  });

  test('a platform that is there is not called one that cannot be used', () => {
    expect(recovered({code: 'platform-unhealthy'})).toMatchObject({
      heading: 'The platform is there, but not ready yet',
      advice: expect.stringContaining('Try again'),
    });
    for (const change of [{code: 'platform-observer-missing'}, {about: {isObserver: true}}] as const) {
      expect(recovered(change).heading).toBe('The observer was not found');
    }
  });

  test('which of two identity providers is meant is asked', () => {
    const issuers = {trusted: 'http://idp', given: 'http://other'};
    expect(labels({code: 'auth-issuer-mismatch', about: {issuers}})).toEqual([
      'Sign in at http://idp',
      'Sign in at http://other anyway',
      'Another base domain',
    ]);
    expect(recovered({about: {issuers}})).toMatchObject({
      heading: 'Where do you sign in?',
      isNoTrouble: true,
      advice: expect.not.stringMatching(/--/),
    });
  });

  test('its rows say which addresses were tried', () => {
    expect(recovered({})).toMatchObject({showsRows: true});
    expect(recovered({})).not.toHaveProperty('isNoTrouble');
    expect(recovered({code: 'platform-not-found'})).toMatchObject({
      heading: 'No platform found yet',
      isNoTrouble: true,
    });
  });
});

test('what is told', () => {
  const probe = {service: 'observer', url: 'http://observer'};
  const events = [
    {type: 'source-started', source: 'helm-release'},
    {type: 'source-answered', source: 'helm-release', outcome: 'failed', detail: 'no', ms: 3},
    {type: 'source-answered', source: 'gateway-route', outcome: 'absent', detail: 'none', ms: 3},
    {type: 'source-answered', source: 'gateway-route', outcome: 'found', detail: 'acme', ms: 3},
    {type: 'probe-started', ...probe, atMost: 2000},
    {type: 'probe-answered', ...probe, outcome: 'up', detail: 'OK', ms: 4},
    {type: 'probe-answered', ...probe, outcome: 'unhealthy', detail: 'ill', ms: 4},
    {type: 'probe-answered', ...probe, outcome: 'down', detail: 'refused', ms: 4},
    {type: 'layout-decided', baseDomain: 'acme', layout: 'single', evidence: 'Seen.'},
    {type: 'layout-decided', baseDomain: 'acme', layout: 'unknown', evidence: 'Unseen.'},
  ] as never[];
  const rows = events.map(event => toRow(event, start.settings));
  expect(rows.map(row => row && [row.key, row.status, row.value, row.ms ?? row.atMost])).toEqual([
    ['source helm-release', 'waiting', 'asking helm…', TOOL_TIMEOUT],
    ['source helm-release', 'warning', 'no', 3],
    ['source gateway-route', 'none', 'none', 3],
    ['source gateway-route', 'ok', 'acme', 3],
    ['probe http://observer', 'waiting', 'http://observer', 2000],
    ['probe http://observer', 'ok', 'http://observer', 4],
    ['probe http://observer', 'warning', 'http://observer', 4],
    ['probe http://observer', 'none', 'http://observer', 4],
    undefined,
    undefined,
  ]);
  expect(events.map(event => toLine(event, {place: {home: '/home/ann'}}))).toEqual([
    undefined,
    'Helm release: no',
    'Gateway route: none',
    'Gateway route: acme',
    undefined,
    'Observer: http://observer: OK (4 ms)',
    'Observer: http://observer: ill (4 ms)',
    'Observer: http://observer: refused (4 ms)',
    'Deployment acme: single-cluster. Seen.',
    'Deployment acme. Unseen.',
  ]);
});
