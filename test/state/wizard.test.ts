import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import {SetupError} from '../../src/errors/errors.ts';
import type {Run} from '../../src/flows/flow.ts';
import {subjectIn} from '../../src/state/diagnosis/subject-from-state.ts';
import type {WizardEvent} from '../../src/state/events.ts';
import {initialState, type WizardState} from '../../src/state/model.ts';
import {currentStep} from '../../src/state/steps.ts';
import {createWizard, type Wizard} from '../../src/state/wizard.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../support/place.ts';
import {addressesOf, clientOf, sandboxPlatform} from '../support/platform.ts';
import {createsClients} from '../support/release.ts';
import {serve} from '../support/server.ts';
import {deployment, settings, withToolSets} from '../support/states.ts';

/** Resolves when the wizard's state is as wanted. */
const until = (wizard: Wizard, wanted: (state: WizardState) => boolean) =>
  new Promise<WizardState>(resolve => {
    const look = () => {
      if (!wanted(wizard.state())) return;
      unsubscribe();
      resolve(wizard.state());
    };
    const unsubscribe = wizard.subscribe(look);
    look();
  });

const onStep = (id: string) => (state: WizardState) => currentStep(state).id === id || state.failure !== undefined;

// The program that would keep the entries signed in is missing.
const connect = {assistants: 'detected', scope: 'user', method: 'header'} as const;

const begin = async (addresses?: {controlPlaneUrl: string; observerUrl: string; authUrl: string}) => {
  const ready = await sandboxPlatform();
  const directory = await temporaryDirectory();
  const place = {home: join(directory, 'home'), project: join(directory, 'project'), system: 'linux', env: {}} as const;
  await mkdir(place.project);
  const ports = portsIn(place.home);
  const {clientId, secret} = clientOf(ready, 'client_secret_basic');
  const [adminPassword, clientSecret] = [ready.admin.password, secret].map(text => new Secret(text)) as [
    Secret,
    Secret,
  ];
  const signIn = createsClients
    ? ({signIn: 'create-mcp-client', adminUsername: ready.admin.username, adminPassword, adminEntered: true} as const)
    : ({signIn: 'mcp-client', clientId, clientSecret, clientEntered: true} as const);
  const wizard = createWizard(initialState({...settings, place}, {addresses: addresses ?? addressesOf(ready)}), ports);
  onTestFinished(() => wizard.stop());
  wizard.start();
  return {ready, wizard, signIn};
};

test('questions are waited for, everything else runs by itself, and going back does it again', async () => {
  const {wizard, ready, signIn} = await begin();
  await until(wizard, onStep('deployment'));
  wizard.dispatch({type: 'answered', answers: {deploymentAccepted: true}});
  wizard.dispatch({type: 'answered', answers: signIn});
  await until(wizard, onStep('assistants'));
  wizard.dispatch({type: 'answered', answers: {connect}});
  const reviewing = await until(wizard, onStep('review'));
  expect(reviewing.failure).toBeUndefined();
  expect(reviewing.facts.written).toBeUndefined();

  wizard.dispatch({type: 'went-back', to: 'sign-in'});
  expect(wizard.state().facts.token).toBeUndefined();
  wizard.dispatch({type: 'answered', answers: signIn});
  // The client that this run has just created does not belong to somebody else.
  expect((await until(wizard, onStep('assistants'))).failure).toBeUndefined();
  wizard.dispatch({type: 'answered', answers: {connect}});
  expect((await until(wizard, onStep('review'))).failure).toBeUndefined();
  wizard.dispatch({type: 'answered', answers: {changesAccepted: true}});
  const done = await until(wizard, onStep('done'));
  expect(done.failure).toBeUndefined();
  expect(done.facts.verified?.map(({tools}) => tools > 0)).toEqual([true, true]);
  // A diagnosis from here examines what was just written.
  expect(subjectIn(done)).toMatchObject({
    controlPlaneUrl: ready.controlPlaneUrl,
    context: {clientId: createsClients ? 'mcp_client' : 'sandbox_mcp_client', entries: done.facts.plan?.entries},
  });
  expect(done.facts.plan?.entries).not.toHaveLength(0);
});

test('an answer in the middle of a search starts it anew, and the first one’s end is not heard', async () => {
  const slow = await serve(() => {});
  const {wizard, ready} = await begin({controlPlaneUrl: slow, observerUrl: slow, authUrl: slow});
  await until(wizard, ({progress}) => progress.some(({type}) => type === 'probe-started'));
  wizard.dispatch({type: 'answered', answers: {addresses: addressesOf(ready)}});
  const state = await until(wizard, onStep('deployment'));
  expect(state.failure).toBeUndefined();
  expect(state.facts.deployment?.controlPlaneUrl).toBe(ready.controlPlaneUrl);
});

test('what an interrupted flow brings all the same is not learned', async () => {
  const {promise: released, resolve: release} = Promise.withResolvers<void>();
  let over = false;
  vi.doMock('../../src/flows/deployment/find-deployment.ts', () => ({
    findDeployment: async ({baseDomain}: {baseDomain?: string}, run: Run) => {
      // This search ignores the stop, and runs to its end.
      if (baseDomain === undefined) await released;
      else over = await released.then(() => true);
      run.tell({type: 'warning', message: `Looked for ${baseDomain}.`});
      return {deployment: {...deployment, baseDomain: baseDomain ?? 'the first one'}};
    },
  }));
  onTestFinished(() => void vi.doUnmock('../../src/flows/deployment/find-deployment.ts'));
  const wizard = createWizard(initialState(settings), await temporaryPorts());
  const learned: unknown[] = [];
  wizard.subscribe(event => void (event.type === 'learned' && learned.push(event.facts.deployment?.baseDomain)));
  wizard.start();
  await until(wizard, ({progressOf}) => progressOf === 'find-deployment');
  wizard.dispatch({type: 'answered', answers: {baseDomain: 'acme.localhost'}});
  release();
  const state = await until(wizard, onStep('deployment'));
  await wizard.stop();
  expect([over, learned]).toEqual([true, ['acme.localhost']]);
  expect(state.warnings.map(({message}) => message)).toEqual(['Looked for acme.localhost.']);
});

test('stopping ends what runs without calling it a failure', async () => {
  const slow = await serve(() => {});
  const {wizard} = await begin({controlPlaneUrl: slow, observerUrl: slow, authUrl: slow});
  await until(wizard, ({progress}) => progress.some(({type}) => type === 'probe-started'));
  await wizard.stop();
  expect(wizard.state().failure).toBeUndefined();
  expect(currentStep(wizard.state()).id).toBe('find-deployment');
});

describe('by itself', () => {
  type Search = (baseDomain: string | undefined, run: Run) => Promise<object>;

  /** The top of every server's chain: an unknown authority. */
  const anchor = {subject: 'Acme CA', issuer: 'Acme CA', validTo: 0, fingerprint: 'AB', pem: 'PEM'};

  /** Creates a wizard with a search of the test, and records what it saved and the route of its calls. */
  const searching = (search: Search, change: Partial<WizardState> = {}) => {
    vi.doMock('../../src/flows/deployment/find-deployment.ts', () => ({
      findDeployment: ({baseDomain}: {baseDomain?: string}, run: Run) => search(baseDomain, run),
    }));
    onTestFinished(() => void vi.doUnmock('../../src/flows/deployment/find-deployment.ts'));
    const [recorded, ways]: [string[], unknown[]] = [[], []];
    const passwords = {'http://proxy': 'the-password'};
    const ports: object = {
      record: (_: string, {event}: {event: WizardEvent}) => void recorded.push(event.type),
      route: {passwords, system: {reread: async () => void ways.push('reread')}},
      withRoute: (way: unknown) => {
        ways.push(way);
        return ports;
      },
      network: {certificate: async () => ({anchor})},
    };
    const wizard = createWizard({...initialState(settings), ...change}, ports as never);
    onTestFinished(() => wizard.stop());
    return {wizard, recorded, ways, passwords};
  };

  const failing: Search = async (baseDomain, run) => {
    run.tell({type: 'call-started', call: 1, method: 'GET', url: 'http://x'});
    if (baseDomain === undefined) throw new SetupError('network-timeout', 'It took too long.');
    return {deployment};
  };

  test('what happens is recorded, but for calls, which are where they are made', async () => {
    const {wizard, recorded} = searching(failing);
    wizard.start();
    const failed = await until(wizard, ({failure}) => failure !== undefined);
    expect(failed.failure).toMatchObject({step: 'find-deployment', code: 'network-timeout'});
    expect(recorded).toEqual(['step-started', 'failed']);
    expect(failed.calls).toHaveLength(1);
    expect(wizard.view(0)).toMatchObject({step: 'find-deployment', body: {type: 'question'}});
  });

  test('who does not listen any more hears nothing', async () => {
    const {wizard} = searching(failing);
    const heard: string[] = [];
    const stop = wizard.subscribe(({type}) => heard.push(type));
    wizard.start();
    await until(wizard, ({failure}) => failure !== undefined);
    stop();
    wizard.dispatch({type: 'answered', answers: {baseDomain: 'acme.localhost'}});
    await until(wizard, onStep('deployment'));
    expect(heard).toEqual(['step-started', 'call-started', 'failed']);
  });

  test('a failure waits for the person, and is tried again', async () => {
    let tries = 0;
    const {wizard} = searching(async (_, run) => {
      run.tell({type: 'warning', message: 'careful'});
      tries += 1;
      if (tries === 1) throw new SetupError('network-timeout', 'It took too long.');
      return {deployment};
    });
    wizard.start();
    await until(wizard, ({failure}) => failure !== undefined);
    expect(tries).toBe(1);
    wizard.dispatch({type: 'retried'});
    expect((await until(wizard, onStep('deployment'))).failure).toBeUndefined();
    expect(tries).toBe(2);
  });

  test('calls take the way that is known by then, with the passwords of before', async () => {
    const {wizard, ways, passwords} = searching(failing, {answers: {authority: {pem: 'PEM'}}});
    wizard.start();
    await until(wizard, ({failure}) => failure !== undefined);
    expect(ways).toEqual([{settings: {authority: {pem: 'PEM'}}, passwords}]);
  });

  test('the system’s authorities are read again where that is what may have changed, once', async () => {
    const untrusted = {
      step: 'find-deployment',
      code: 'network-tls',
      whose: 'you',
      headline: 'It failed',
      message: '',
      remedy: '',
    } as const;
    const failed = (change: object) => ({failure: {...untrusted, ...change}});
    const trusting = searching(failing, failed({untrusted: {}}));
    trusting.wizard.dispatch({type: 'retried'});
    await until(trusting.wizard, ({failure}) => failure?.code === 'network-timeout');
    trusting.wizard.dispatch({type: 'retried'});
    await until(trusting.wizard, ({failure}) => failure === undefined);
    await until(trusting.wizard, ({failure}) => failure !== undefined);
    expect(trusting.ways.filter(way => way === 'reread')).toHaveLength(1);

    const other = searching(failing, failed({}));
    other.wizard.dispatch({type: 'retried'});
    await until(other.wizard, ({failure}) => failure?.code === 'network-timeout');
    expect(other.ways).not.toContain('reread');

    // A person who names another platform has not changed that store.
    const elsewhere = searching(failing, failed({untrusted: {}}));
    elsewhere.wizard.dispatch({type: 'answered', answers: {baseDomain: 'acme.localhost'}});
    await until(elsewhere.wizard, onStep('deployment'));
    expect(elsewhere.ways).not.toContain('reread');
  });

  test('who signed is looked at where nobody here trusts a server, and not after any other failure', async () => {
    const failureOf = async (error: Error) => {
      const {wizard} = searching(async (_, run) => {
        run.tell({type: 'warning', message: 'careful'});
        throw error;
      });
      wizard.start();
      return (await until(wizard, ({failure}) => failure !== undefined)).failure;
    };
    const about = {untrusted: 'https://api.acme.example'};
    const untrusted = new SetupError('network-tls', 'It could not be trusted.', {about});
    expect(await failureOf(untrusted)).toMatchObject({
      code: 'network-tls',
      untrusted: {origin: 'https://api.acme.example', isWhole: true},
    });
    expect(await failureOf(new SetupError('network-tls', 'It has expired.'))).not.toHaveProperty('untrusted');
    const ours = await failureOf(new TypeError('This is a bug.'));
    expect(ours).toMatchObject({code: 'bug', message: 'This is a bug.'});
    expect(ours).not.toHaveProperty('untrusted');
  });

  test('a question runs what is found out beside it, and still stands', async () => {
    vi.doMock('../../src/flows/platform-tools/list-tools.ts', () => ({
      toolCost: async (_: unknown, run: Run) => {
        run.tell({type: 'warning', message: 'counting'});
        return {tools: 12, tokens: 3000};
      },
    }));
    onTestFinished(() => void vi.doUnmock('../../src/flows/platform-tools/list-tools.ts'));
    const {wizard} = searching(failing, withToolSets);
    wizard.start();
    wizard.dispatch({type: 'tools-looked-at', tools: 'build'});
    const state = await until(wizard, ({facts: {toolCosts}}) => toolCosts !== undefined);
    expect(state.facts.toolCosts).toEqual({build: {tools: 12, tokens: 3000}});
    expect(currentStep(state).id).toBe('assistants');
  });

  test('nothing is run once it has stopped, and a question runs nothing', async () => {
    const {wizard, recorded} = searching(failing);
    await wizard.stop();
    wizard.start();
    wizard.dispatch({type: 'retried'});
    // A flow would begin only now.
    await wizard.stop();
    expect(recorded).toEqual(['retried']);
    const asking = searching(failing, {facts: {deployment}});
    asking.wizard.start();
    await asking.wizard.stop();
    expect(asking.recorded).toEqual([]);
  });

  test('stopping waits for what runs, and keeps what it has done all the same', async () => {
    const {promise: begun, resolve: begin} = Promise.withResolvers<void>();
    let ended = false;
    const {wizard, recorded} = searching(async (_, run) => {
      begin();
      await new Promise(resolve => setImmediate(resolve));
      ended = true;
      run.tell({type: 'warning', message: 'late'});
      return {deployment};
    });
    wizard.start();
    await begun;
    await wizard.stop();
    expect([ended, recorded]).toEqual([true, ['step-started', 'learned']]);
  });

  test.each<WizardEvent>([
    {type: 'went-back', to: 'find-deployment'},
    {type: 'answered', answers: {}},
    {type: 'retried'},
  ])('$type interrupts what runs', async event => {
    let runs = 0;
    const signals: AbortSignal[] = [];
    const {promise: held, resolve: release} = Promise.withResolvers<void>();
    const {wizard} = searching(async (_, run) => {
      runs += 1;
      signals.push(run.signal);
      if (runs === 1) await held;
      run.tell({type: 'warning', message: `run ${runs}`});
      return {deployment};
    });
    wizard.start();
    await until(wizard, ({progressOf}) => progressOf !== undefined);
    await expect.poll(() => runs).toBe(1);
    wizard.dispatch(event);
    await until(wizard, onStep('deployment'));
    release();
    expect(runs).toBe(2);
    expect(signals.map(({aborted}) => aborted)).toEqual([true, false]);
  });
});

test('a flow begins a turn later, so that keys that were pressed by then come first', async () => {
  const wizard = createWizard(initialState(settings), await temporaryPorts());
  onTestFinished(() => wizard.stop());
  const heard: string[] = [];
  wizard.subscribe(({type}) => heard.push(type));
  const key = new Promise<void>(resolve =>
    setImmediate(() => {
      heard.push('key');
      resolve();
    }),
  );
  wizard.start();
  await key;
  await vi.waitUntil(() => heard.includes('step-started'));
  expect(heard.slice(0, 2)).toEqual(['key', 'step-started']);
});
