import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {type Answers, initialState, type WizardState} from '../../../src/state/model.ts';
import {currentStep} from '../../../src/state/steps.ts';
import {createWizard, type Wizard} from '../../../src/state/wizard.ts';
import type {Platform} from '../../e2e/support/platform.ts';
import {navigate, signInAt} from '../../support/browser.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {addressesOf, clientOf} from '../../support/platform.ts';
import {settings} from '../../support/states.ts';

export type Way = 'browser' | 'mcp-client';

/** True if a wizard waits for a person: at a question, or at a failure. */
const stands = (state: WizardState): boolean => state.failure !== undefined || currentStep(state).kind === 'ask';

/** Resolves with the wizard's state once it waits for a person. */
export const standingAt = (wizard: Wizard): Promise<WizardState> =>
  new Promise(resolve => {
    const look = () => {
      const state = wizard.state();
      if (stands(state)) {
        stop();
        resolve(state);
      }
    };
    const stop = wizard.subscribe(() => queueMicrotask(look));
    queueMicrotask(look);
  });

/** Starts a wizard for this platform, in a home of its own, with a person who signs in whenever asked. */
export const wizardTo = async ({ready, redirectUri}: Platform, way: Way) => {
  const directory = await temporaryDirectory();
  const place = {home: join(directory, 'home'), project: join(directory, 'project'), system: 'linux', env: {}} as const;
  await mkdir(place.project);
  const ports = portsIn(place.home);
  const {clientId, secret} = clientOf(ready, 'client_secret_basic');
  const byClient: Answers =
    way === 'mcp-client' ? {clientId, clientSecret: new Secret(secret), clientEntered: true} : {};
  const answers: Answers = {addresses: addressesOf(ready), deploymentAccepted: true, signIn: way, ...byClient};
  const own = {...settings, place, redirectUri, openBrowser: false};
  const open = (initial: WizardState) => {
    const wizard = createWizard(initial, ports);
    onTestFinished(() => wizard.stop());
    wizard.subscribe(event => {
      if (event.type !== 'sign-in-waiting') return;
      // A sign-in that fails shows in the state of the wizard.
      signInAt(event.url)
        .then(navigate)
        .catch(() => {});
    });
    return wizard;
  };
  return {own, answers, open, ports};
};

/** Begins a first run at a platform with a fault, up to the point where it waits for a person. */
export const firstRunWith = async (fault: FaultName, way: Way, platform: Platform) => {
  await platform.raise([fault]);
  const {own, answers, open, ports} = await wizardTo(platform, way);
  const wizard = open(initialState(own, answers));
  wizard.start();
  const {failure} = await standingAt(wizard);
  return {wizard, failure, ports};
};
