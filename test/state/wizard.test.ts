import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import {subjectIn} from '../../src/state/diagnosis/subject-from-state.ts';
import {initialState, type WizardState} from '../../src/state/model.ts';
import {currentStep} from '../../src/state/steps.ts';
import {createWizard, type Wizard} from '../../src/state/wizard.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../support/place.ts';
import {addressesOf, clientOf, sandboxPlatform} from '../support/platform.ts';
import {createsClients} from '../support/release.ts';
import {serve} from '../support/server.ts';
import {deployment, settings} from '../support/states.ts';

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

const connect = {assistants: 'detected', scope: 'user', method: 'auto'} as const;

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
  // The client that this run created a moment ago is not somebody else's.
  expect((await until(wizard, onStep('assistants'))).failure).toBeUndefined();
  wizard.dispatch({type: 'answered', answers: {connect}});
  expect((await until(wizard, onStep('review'))).failure).toBeUndefined();
  wizard.dispatch({type: 'answered', answers: {changesAccepted: true}});
  const done = await until(wizard, onStep('done'));
  expect(done.failure).toBeUndefined();
  expect(done.facts.verified?.map(({tools}) => tools > 0)).toEqual([true, true]);
  // A diagnosis from here is of what was just written.
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
    findDeployment: async function* ({baseDomain}: {baseDomain?: string}) {
      // It hears nothing of being stopped, and goes to its end.
      if (baseDomain === undefined) await released;
      else over = await released.then(() => true);
      yield {type: 'warning', message: `Looked for ${baseDomain}.`};
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
  expect([over, learned, state.warnings]).toEqual([true, ['acme.localhost'], ['Looked for acme.localhost.']]);
});

test('stopping ends what runs without calling it a failure', async () => {
  const slow = await serve(() => {});
  const {wizard} = await begin({controlPlaneUrl: slow, observerUrl: slow, authUrl: slow});
  await until(wizard, ({progress}) => progress.some(({type}) => type === 'probe-started'));
  await wizard.stop();
  expect(wizard.state().failure).toBeUndefined();
  expect(currentStep(wizard.state()).id).toBe('find-deployment');
});
