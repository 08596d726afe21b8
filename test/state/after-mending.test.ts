import {describe, expect, test} from 'vitest';
import {answersOf, storedClientSecret} from '../../src/command-line/saved-context.ts';
import {type FaultName, faults} from '../../src/sandbox/faults.ts';
import {initialState} from '../../src/state/model.ts';
import {signInName} from '../../src/state/view/names.ts';
import type {Offer} from '../../src/state/view/view.ts';
import type {Wizard} from '../../src/state/wizard.ts';
import {platformForTest} from '../e2e/support/platform.ts';
import {scopesNeedResources} from '../support/release.ts';
import {questionIn} from '../support/standing-wizard.ts';
import {longRows, rowsOfTable} from '../support/tables.ts';
import {firstRunWith, standingAt, type Way, wizardTo} from './support/first-run.ts';

/** Faults of a certificate, a clock or this machine's network have tests of their own. */
const elsewhere: readonly FaultName[] = ['self-signed', 'expired-certificate', 'clock-ahead', 'slow-idp'];
const faultNames = (Object.keys(faults) as FaultName[]).filter(name => !elsewhere.includes(name));

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

const firstRun = async (row: string) => {
  const [fault, way] = inRow(row);
  const platform = await platformForTest();
  return {platform, way, ...(await firstRunWith(fault, way, platform))};
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
      const again = answersOf(saved, {}, await storedClientSecret(saved, ports.credentials));
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
  // The way has not failed if its account only lacks a permission: another account may sign in the same way.
  if (!offer || failure.code === 'auth-permission-missing' || failure.code === 'auth-no-role') return;
  choose(wizard, offer);
  const {offers, initial} = questionIn(wizard.state());
  expect(offers[initial ?? 0]?.label).not.toBe(signInName[way]);
});
