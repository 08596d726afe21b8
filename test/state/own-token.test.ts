import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import type {FlowEvent} from '../../src/flows/flow.ts';
import type {SandboxOptions} from '../../src/sandbox/sandbox.ts';
import {contextOf} from '../../src/state/derived/wizard-context.ts';
import {type Answers, initialState, type WizardState} from '../../src/state/model.ts';
import {currentStep} from '../../src/state/steps.ts';
import {createWizard} from '../../src/state/wizard.ts';
import {callbackForTest} from '../e2e/support/ports.ts';
import {navigate, signInAt} from '../support/browser.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';
import {addressesOf, clientOf, runningPlatform} from '../support/platform.ts';
import {json, serveRoutes, text} from '../support/server.ts';
import {settings} from '../support/states.ts';

type Way = 'browser' | 'mcp-client';

/**
 * Runs a wizard that signs in by itself, up to the first question after the check. Returns its events and its last
 * state.
 */
const run = async (way: Way, options: Partial<SandboxOptions>, observerUrl?: string) => {
  const redirectUri = await callbackForTest();
  const {ready} = await runningPlatform('single', {redirectUri, ...options});
  const directory = await temporaryDirectory();
  const place = {home: join(directory, 'home'), project: join(directory, 'project'), system: 'linux', env: {}} as const;
  await mkdir(place.project);
  const ports = portsIn(place.home);
  const {clientId, secret} = clientOf(ready, 'client_secret_basic');
  const addresses = {...addressesOf(ready), ...(observerUrl === undefined ? {} : {observerUrl})};
  const byClient: Answers =
    way === 'mcp-client' ? {clientId, clientSecret: new Secret(secret), clientEntered: true} : {};
  const answers: Answers = {addresses, deploymentAccepted: true, signIn: way, ...byClient};
  const wizard = createWizard(initialState({...settings, place, redirectUri, openBrowser: false}, answers), ports);
  onTestFinished(() => wizard.stop());
  const told: FlowEvent['type'][] = [];
  const ended = new Promise<WizardState>(resolve => {
    wizard.subscribe(event => {
      told.push(event.type as FlowEvent['type']);
      if (event.type === 'sign-in-waiting') void signInAt(event.url).then(navigate);
      const state = wizard.state();
      if (state.failure ?? (currentStep(state).kind === 'ask' && state.facts.token)) resolve(state);
    });
  });
  wizard.start();
  const state = await ended;
  return {state, ready, count: (type: FlowEvent['type']) => told.filter(one => one === type).length};
};

test('one resource that both servers take is asked for once', async () => {
  const {state, ready, count} = await run('mcp-client', {resources: 'one'});
  expect(state.failure).toBeUndefined();
  expect(contextOf(state)).toMatchObject({resource: `${ready.controlPlaneUrl}/mcp`});
  expect(contextOf(state)).not.toHaveProperty('resources');
  expect(count('token-obtained')).toBe(1);
});

test('a person whose browser is known signs in twice, and is told why', async () => {
  const {state, ready, count} = await run('browser', {resources: 'each'});
  expect(state.failure).toBeUndefined();
  expect(contextOf(state)).toMatchObject({resources: {observability: `${ready.observerUrl}/mcp`}});
  expect([count('second-sign-in'), count('sign-in-waiting')]).toEqual([1, 2]);
  expect(state.warnings).toEqual([]);
});

/** Starts an observer that accepts no token and identifies itself as the test says. */
const refusing = (resource?: string) => {
  const metadata = resource === undefined ? text('no', 404) : json({resource});
  return serveRoutes({
    ...{'/health': json({status: 'healthy'}), '/mcp': json({error: 'INVALID_TOKEN'}, 401)},
    '/.well-known/oauth-protected-resource': metadata,
  });
};

test.each(['browser', 'mcp-client'] as const)(
  '%s: a server without a resource of its own has refused it',
  async way => {
    for (const resource of [undefined, 'https://elsewhere.example/mcp']) {
      const observerUrl = await refusing(resource);
      const {state, count} = await run(way, {}, observerUrl);
      expect(state.failure).toMatchObject({
        step: 'check',
        code: expect.stringMatching(/^auth-(token-refused|audience-wrong)$/),
      });
      expect(state.failure?.message).toContain(`${observerUrl}/mcp`);
      expect([count('token-obtained'), count('second-sign-in')]).toEqual([1, 0]);
    }
  },
);

test.each(['browser', 'mcp-client'] as const)(
  '%s: where the identity provider knows no such resource, the first failure stands',
  async way => {
    const routes: Record<string, ReturnType<typeof json>> = {
      ...{'/health': json({status: 'healthy'}), '/mcp': json({error: 'INVALID_TOKEN'}, 401)},
    };
    const observerUrl = await serveRoutes(routes);
    routes['/.well-known/oauth-protected-resource'] = json({resource: `${observerUrl}/mcp`});
    const {state, count} = await run(way, {release: 'next', resources: 'one'}, observerUrl);
    expect(state.failure).toMatchObject({
      step: 'check',
      code: expect.stringMatching(/^auth-(token-refused|audience-wrong)$/),
    });
    expect(state.failure?.message).toContain(`${observerUrl}/mcp`);
    expect(state.facts.ownTokens).toMatchObject({observability: 'refused'});
    expect(contextOf(state)).not.toHaveProperty('resources');
    expect(count('sign-in-waiting')).toBe(way === 'browser' ? 1 : 0);
  },
);
