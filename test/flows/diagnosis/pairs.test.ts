import {expect, test} from 'vitest';
import {type FaultName, faults} from '../../../src/sandbox/faults.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {alone, asksToSignIn, expectNamed, nameIn, signedIn} from './named.ts';
import {type Scene, sceneOf} from './scene.ts';

/**
 * Every fault except these: `slow-idp`, which has a file of its own because it takes long; certificates, which have
 * one because a whole process shares its authorities; and faults that a diagnosis does not meet, as its sessions are
 * short and it calls no tool.
 */
const others: readonly FaultName[] = [
  ...(['slow-idp', 'expired-certificate', 'self-signed'] as const),
  ...(['mcp-forgets', 'mcp-breaks-off'] as const),
];
const names = (Object.keys(faults) as FaultName[]).filter(name => !others.includes(name));

/** The number of sandboxes at work at once. */
const LANES = 4;

/** Tries one pair of faults, at a sandbox without a fault. The sandbox is without a fault again afterwards. */
const examine = async (scene: Scene, pair: readonly [FaultName, FaultName]) => {
  const {sandbox} = scene;
  const [one, other] = [await alone(pair[0]), await alone(pair[1])];
  await scene.expire();
  await sandbox.raise(pair);
  const both = await scene.diagnose();
  // Nothing has been renewed or signed in to since the faults began.
  expectNamed(
    both,
    [one, other].map(fault => ({...fault, ids: fault.ids.slice(0, 1)})),
  );

  // A person who follows the remedy meets the other fault, and then none.
  const [named, left, leftAlone] = one.names.includes(nameIn(both))
    ? [pair[0], pair[1], other]
    : [pair[1], pair[0], one];
  await sandbox.mend([named]);
  await scene.wait();
  let isToSignIn = asksToSignIn(both);
  if (isToSignIn && (await signedIn(scene))) isToSignIn = false;
  let remaining = await scene.diagnose();
  // If a refresh token works only once, the lost answer has used it up, and a new sign-in is the remedy.
  if (named === 'lost-answer' && nameIn(remaining).startsWith('token: You are signed out')) {
    expect(asksToSignIn(remaining)).toBe(true);
    await signedIn(scene);
    remaining = await scene.diagnose();
  }
  // The fault that is left may prevent the new sign-in that was asked for.
  const failing = isToSignIn ? [...leftAlone.failing, 'sign-in'] : leftAlone.failing;
  expectNamed(remaining, [{...leftAlone, failing}]);
  await sandbox.mend([left]);
  await scene.wait();
  // If two answers were lost, the refresh token is not sent a third time.
  if (isToSignIn || asksToSignIn(remaining) || pair.includes('lost-answer')) await scene.signIn();
  const {failed, warned} = await scene.diagnose();
  expect(failed).toEqual([]);
  expect(warned.filter(({id}) => id !== 'browser')).toEqual([]);
};

test.each(names.slice(0, -1))('%s and those that come after it', async first => {
  const at = names.indexOf(first);
  const waiting = [...rowsOfTable(names.slice(at + 1), at, 24)];
  const lane = async () => {
    const scene = await sceneOf('person');
    await scene.signIn();
    for (let second = waiting.shift(); second !== undefined; second = waiting.shift()) {
      const pair = [first, second] as const;
      await examine(scene, pair).catch(error => {
        throw new Error(`${pair.join(' and ')}: ${error.message}`, {cause: error});
      });
    }
  };
  await Promise.all(Array.from({length: Math.min(LANES, waiting.length)}, lane));
});
