import {expect, test} from 'vitest';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {alone, expectNamed, nameIn} from './named.ts';
import {sceneOf} from './scene.ts';

const examine = async (...faults: readonly FaultName[]) => {
  const scene = await sceneOf('person');
  await scene.signIn();
  await scene.expire();
  await scene.sandbox.raise(faults);
  return {scene, found: await scene.diagnose()};
};

test('slow-idp is given up, and named by what did not answer, alone and with others', {timeout: 120_000}, async () => {
  // Each diagnosis waits for the timeout of a renewal, so they run side by side.
  const [slow, first, second] = await Promise.all([
    examine('slow-idp'),
    examine('slow-idp', 'mcp-403'),
    examine('slow-idp', 'observer-missing'),
  ]);
  const {failed} = slow.found;
  const remedy = expect.stringMatching(/operators/);
  expect(failed).toEqual([
    expect.objectContaining({id: 'redirect-url', code: 'network-timeout', remedy}),
    expect.objectContaining({id: 'token', code: 'network-timeout', remedy}),
  ]);
  const byItself = {ids: ['redirect-url'], names: [nameIn(slow.found)], failing: failed.map(({id}) => id)};
  expectNamed(first.found, [byItself, await alone('mcp-403')]);
  expectNamed(second.found, [byItself, await alone('observer-missing')]);

  for (const [{scene}, named, left] of [
    [first, 'slow-idp', 'mcp-403'],
    [second, 'observer-missing', 'slow-idp'],
  ] as const) {
    await scene.sandbox.mend([named]);
    if (left !== 'slow-idp') expectNamed(await scene.diagnose(), [await alone(left)]);
    await scene.sandbox.mend([left]);
    expect((await scene.diagnose()).failed).toEqual([]);
  }
  await slow.scene.sandbox.mend();
  expect((await slow.scene.diagnose()).failed).toEqual([]);
});
