import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {connected} from '../e2e/support/connected.ts';
import {platformForTest} from '../e2e/support/platform.ts';

/** The number of rounds of each pair. */
const ROUNDS = Number(process.env.ENDURANCE_TIMES ?? 20);

const connect = ['mcp', 'connect', 'cursor', '--yes', '--method', 'bridge'];

const disconnect = ['mcp', 'disconnect', 'cursor'];

/**
 * Commands that run at the same time: those of the first list once, and those of the second again and again until the
 * last of the first has ended. Their messages do not matter, because one may report that another was faster, but none
 * may fail because of a bug.
 */
const pairs = [
  ['a connection and disconnections', [connect], [disconnect]],
  ['connections and disconnections', [connect, connect, connect], [disconnect, disconnect]],
  ['a connection, disconnections and diagnoses that mend', [connect], [disconnect, ['doctor', '--fix']]],
] as const;

test.each(pairs)('%s at once leave no empty file and no entry that nobody knows of', async (_name, once, often) => {
  const at = await connected(await platformForTest());
  const path = join(at.surroundings.home, '.cursor', 'mcp.json');
  for (let round = 0; round < ROUNDS; round += 1) {
    let isConnecting = true;
    const repeat = async (words: readonly string[]) => {
      while (isConnecting) expect(await at.run(...words)).not.toMatchObject({code: 70});
    };
    const connecting = Promise.all(once.map(words => at.run(...words))).finally(() => {
      isConnecting = false;
    });
    await Promise.all([connecting, ...often.map(repeat)]);
    for (const result of await connecting) expect(result).not.toMatchObject({code: 70});
    const known = at.store
      .contexts()
      .flatMap(({entries = []}) => entries)
      .some(one => one.path === path);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const size = existsSync(path) ? statSync(path).size : undefined;
    expect({round, size, isThere: text.includes('control-plane')}).toEqual({
      round,
      size: known ? expect.any(Number) : undefined,
      isThere: known,
    });
  }
  if (existsSync(path)) expect(await at.run(...disconnect)).toMatchObject({code: 0});
  expect(existsSync(path)).toBe(false);
});
