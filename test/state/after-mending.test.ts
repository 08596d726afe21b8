import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {answersOf, keptSecret} from '../../src/command-line/saved-context.ts';
import {Secret} from '../../src/domain/secret.ts';
import {type FaultName, faults} from '../../src/sandbox/faults.ts';
import {type Answers, initialState, type WizardState} from '../../src/state/model.ts';
import {currentStep} from '../../src/state/steps.ts';
import {signInName} from '../../src/state/view/names.ts';
import type {Offer} from '../../src/state/view/view.ts';
import {createWizard, type Wizard} from '../../src/state/wizard.ts';
import {type Platform, platformForTest} from '../e2e/support/platform.ts';
import {navigate, signInAt} from '../support/browser.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';
import {addressesOf, clientOf} from '../support/platform.ts';
import {scopesNeedResources} from '../support/release.ts';
import {questionIn} from '../support/standing-wizard.ts';
import {settings} from '../support/states.ts';
import {longRows, rowsOfTable} from '../support/tables.ts';

type Way = 'browser' | 'mcp-client';

/** Faults of a certificate, a clock or this machine's network have tests of their own. */
const elsewhere: readonly FaultName[] = ['self-signed', 'expired-certificate', 'clock-ahead', 'slow-idp'];
const faultNames = (Object.keys(faults) as FaultName[]).filter(name => !elsewhere.includes(name));

/** True if a wizard waits for a person: at a question, or at a failure. */
const stands = (state: WizardState): boolean => state.failure !== undefined || currentStep(state).kind === 'ask';

/** Resolves with the wizard's state once it waits for a person. */
const standingAt = (wizard: Wizard): Promise<WizardState> =>
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
const wizardTo = async ({ready, redirectUri}: Platform, way: Way) => {
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

const choose = (wizard: Wizard, {label}: Offer) => {
  const offer = questionIn(wizard.state()).offers.find(one => one.label === label);
  if (!offer || !('event' in offer)) throw new Error(`${label} is no choice that says something by itself.`);
  wizard.dispatch(offer.event);
};

const inRow = (row: string) => row.split(' ') as [FaultName, Way];

/** Faults for which the flows themselves wait, for seconds. */
const slow: readonly FaultName[] = ['control-plane-503', 'observer-missing', 'mcp-busy'];
const rows = faultNames.flatMap(fault => [`${fault} browser`, `${fault} mcp-client`]);
const quick = rows.filter(row => !slow.includes(inRow(row)[0]));

/** Returns the rows of one of the tables here: a few of the quick ones, which depend on `offset`, or all of them. */
const some = (offset: number) => [
  ...rowsOfTable(quick, offset, 8),
  ...longRows(rows.filter(row => !quick.includes(row))),
];

/**
 * Returns the offer to choose after the fault is gone: the first one on the screen, or trying again. Undefined if it
 * asks for input.
 */
const chosenAt = (wizard: Wizard, at: 0 | 'Try again'): Offer | undefined => {
  const {offers} = questionIn(wizard.state());
  const offer = at === 0 ? offers[0] : offers.find(({label}) => label === at);
  return offer && 'event' in offer ? offer : undefined;
};

/** Chooses an offer, and checks that no failure follows. */
const expectToGetOn = async (row: string, wizard: Wizard, offer: Offer) => {
  choose(wizard, offer);
  const {failure} = await standingAt(wizard);
  // A client's scope belongs to a resource there, which only the operators can register.
  const isOperators = scopesNeedResources && row === 'missing-scope mcp-client' && offer.label.includes('scope');
  if (isOperators) expect(failure?.code).toBe('auth-resource-refused');
  else expect([offer.label, failure?.message]).toEqual([offer.label, undefined]);
};

/** Begins a first run at a platform with a fault, up to the point where it waits for a person. */
const firstRun = async (row: string) => {
  const [fault, way] = inRow(row);
  const platform = await platformForTest();
  await platform.raise([fault]);
  const {own, answers, open} = await wizardTo(platform, way);
  const wizard = open(initialState(own, answers));
  wizard.start();
  const {failure} = await standingAt(wizard);
  return {platform, way, wizard, failure};
};

describe.each([0, 'Try again'] as const)('once a fault is mended, choice %s gets on', at => {
  test.each(some(at === 0 ? 0 : 1))('in a first run: %s', async row => {
    const {platform, wizard, failure} = await firstRun(row);
    const offer = failure && chosenAt(wizard, at);
    // An offer for a wrong address does not help once the address is right.
    if (!offer || failure.step === 'find-deployment') return;
    await platform.mend();
    await expectToGetOn(row, wizard, offer);
  });

  describe.each(['sign-in', 'renew'] as const)('in a home that is set up, %s', resume => {
    test.each(some(resume === 'renew' ? 3 : 4))('%s', async row => {
      const [fault, way] = inRow(row);
      const platform = await platformForTest();
      const {own, answers, open, ports} = await wizardTo(platform, way);
      const login = open(initialState({...own, login: true}, answers));
      login.start();
      expect((await standingAt(login)).failure).toBeUndefined();
      await login.stop();
      const [saved] = (await ports.config.read()).contexts;
      if (!saved) throw new Error('The sign-in was not kept.');
      const again = answersOf(saved, {}, await keptSecret(saved, ports.credentials));
      await platform.raise([fault]);
      const wizard = open(initialState({...own, saved, again}, {...again, resume}));
      wizard.start();
      const {failure} = await standingAt(wizard);
      const offer = failure && chosenAt(wizard, at);
      if (!offer) return;
      await platform.mend();
      await expectToGetOn(row, wizard, offer);
    });
  });
});

test.each(some(5))('another way to sign in is not the one that failed: %s', async row => {
  const {way, wizard, failure} = await firstRun(row);
  const offer = failure && questionIn(wizard.state()).offers.find(({label}) => label === 'Sign in another way');
  if (!offer) return;
  choose(wizard, offer);
  const {offers, initial} = questionIn(wizard.state());
  expect(offers[initial ?? 0]?.label).not.toBe(signInName[way]);
});
