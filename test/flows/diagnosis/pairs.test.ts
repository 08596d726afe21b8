import {expect, test} from 'vitest';
import {type FaultName, faults} from '../../../src/sandbox/faults.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {alone, asksToSignIn, expectNamed, nameIn, signedIn} from './named.ts';
import {type Scene, sceneOf} from './scene.ts';

/**
 * Every fault but those that have a file of their own, as `slow-idp` costs the patience that it tries, and certificates
 * are trusted by a whole process at once, and those that a diagnosis does not meet: its sessions are short, and it calls no
 * tool.
 */
const others: readonly FaultName[] = [
  ...(['slow-idp', 'expired-certificate', 'self-signed'] as const),
  ...(['mcp-forgets', 'mcp-breaks-off'] as const),
];
const names = (Object.keys(faults) as FaultName[]).filter(name => !others.includes(name));

/** How many sandboxes are at work at once. */
const LANES = 4;

/** One pair, at a sandbox in which nothing is wrong, which is so again afterwards. */
const examine = async (scene: Scene, pair: readonly [FaultName, FaultName]) => {
  const {sandbox} = scene;
  const [one, other] = [await alone(pair[0]), await alone(pair[1])];
  await scene.expire();
  await sandbox.raise(pair);
  const both = await scene.diagnose();
  expectNamed(both, [one, other]);

  // Whoever follows the remedy meets the other one, and then nothing.
  const [named, left, leftAlone] = one.names.includes(nameIn(both))
    ? [pair[0], pair[1], other]
    : [pair[1], pair[0], one];
  await sandbox.mend([named]);
  await scene.wait();
  let isToSignIn = asksToSignIn(both);
  if (isToSignIn && (await signedIn(scene))) isToSignIn = false;
  let remaining = await scene.diagnose();
  // Where a refresh token works once, it was used up by the answer that was lost, and a new sign-in is the remedy.
  if (named === 'lost-answer' && nameIn(remaining).startsWith('token: You are signed out')) {
    expect(asksToSignIn(remaining)).toBe(true);
    await signedIn(scene);
    remaining = await scene.diagnose();
  }
  // What is left may keep people from the new sign-in that was asked of them.
  const failing = isToSignIn ? [...leftAlone.failing, 'sign-in'] : leftAlone.failing;
  expectNamed(remaining, [{...leftAlone, failing}]);
  await sandbox.mend([left]);
  await scene.wait();
  // A refresh token is not sent a third time where two answers were lost.
  if (isToSignIn || asksToSignIn(remaining) || pair.includes('lost-answer')) await scene.signIn();
  const {failed, warned} = await scene.diagnose();
  expect(failed).toEqual([]);
  expect(warned.filter(({id}) => id !== 'browser')).toEqual([]);
};

test.each(names.slice(0, -1))('%s and those that come after it', async first => {
  const at = names.indexOf(first);
  const waiting = [...rowsOfTable(names.slice(at + 1), at, 12)];
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
