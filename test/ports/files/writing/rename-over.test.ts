import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {renameOver} from '../../../../src/ports/files/atomic-write.ts';
import {temporaryDirectory} from '../../../support/place.ts';

/** A file that a program has open: the system refuses to rename so often, with this code, and then does it. */
const heldOpen = (code: string, times: number) => {
  const state = {tries: 0, waited: 0};
  const system = {
    rename: async () => {
      state.tries += 1;
      if (state.tries <= times) throw Object.assign(new Error(code), {code});
    },
    pause: async (ms: number) => {
      state.waited += ms;
    },
  };
  return {state, system};
};

test('one file takes the place of another', async () => {
  const directory = await temporaryDirectory();
  const [from, to] = [join(directory, 'from'), join(directory, 'to')];
  await writeFile(from, 'new');
  await writeFile(to, 'old');
  await renameOver(from, to);
  expect(await readFile(to, 'utf8')).toBe('new');
  await expect(readFile(from)).rejects.toMatchObject({code: 'ENOENT'});
});

describe('on Windows, while a program has it open', () => {
  test.each(['EPERM', 'EACCES', 'EBUSY'])('it is tried again (%s)', async code => {
    const {state, system} = heldOpen(code, 3);
    await renameOver('from', 'to', {...system, platform: 'win32'});
    expect(state).toEqual({tries: 4, waited: 300});
  });

  test('for some seconds, and then it is said that it is in use', async () => {
    const {state, system} = heldOpen('EPERM', Number.POSITIVE_INFINITY);
    await expect(renameOver('from', 'to', {...system, platform: 'win32'})).rejects.toMatchObject({
      code: 'EBUSY',
      cause: {code: 'EPERM'},
    });
    expect(state.waited).toBe(4_000);
  });

  test('but no other error is waited for', async () => {
    const {state, system} = heldOpen('ENOSPC', 3);
    await expect(renameOver('from', 'to', {...system, platform: 'win32'})).rejects.toMatchObject({code: 'ENOSPC'});
    expect(state).toEqual({tries: 1, waited: 0});
  });
});

test('elsewhere nothing is waited for', async () => {
  const {state, system} = heldOpen('EPERM', 3);
  await expect(renameOver('from', 'to', {...system, platform: 'linux'})).rejects.toMatchObject({code: 'EPERM'});
  expect(state.waited).toBe(0);
});
