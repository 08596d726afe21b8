import {describe, expect, test} from 'vitest';
import {inParts} from '../../src/store/keychain.ts';

const LIMIT = 2_560;

/**
 * Entries as in the Credential Manager: it refuses an entry that is too long. `failAt` refuses the entry with that
 * number.
 */
const credentialManager = () => {
  const entries = new Map<string, Uint8Array>();
  const state = {failAt: Number.POSITIVE_INFINITY, writes: 0};
  return {
    entries,
    state,
    kept: inParts(
      {
        get: async name => entries.get(name),
        set: async (name, bytes) => {
          state.writes += 1;
          if (bytes.length > LIMIT || state.writes === state.failAt) throw new Error('The stub received bad data.');
          entries.set(name, Uint8Array.from(bytes));
        },
        remove: async name => {
          if (!entries.delete(name)) throw new Error('No matching entry.');
        },
      },
      LIMIT,
    ),
  };
};

const long = (sign: string, length = 9_000) => sign.repeat(length);

describe('a secret comes back as it was', () => {
  test.each([
    ['a short one', 'secret'],
    ['an empty one', ''],
    ['one of the limit', long('a', LIMIT)],
    ['one byte more', long('a', LIMIT + 1)],
    ['a long one', long('a')],
    ['signs that a cut would go through', long('漢👍')],
    ['one that looks like the list of its parts', `parts:1:00000000:${'0'.repeat(64)}`],
  ])('%s', async (_name, secret) => {
    const {kept, entries} = credentialManager();
    await kept.set('ann', secret);
    expect(await kept.get('ann')).toBe(secret);
    expect([...entries.values()].every(bytes => bytes.length <= LIMIT)).toBe(true);
    await kept.remove('ann');
    expect(entries.size).toBe(0);
    expect(await kept.get('ann')).toBeUndefined();
  });
});

test('another one takes the place of all parts of the one before', async () => {
  const {kept, entries} = credentialManager();
  for (const secret of [long('a'), long('b', 12_000), 'short', long('c')]) {
    await kept.set('ann', secret);
    expect(await kept.get('ann')).toBe(secret);
  }
  expect(entries.size).toBe(1 + Math.ceil(9_000 / LIMIT));
});

test('one that is not written to its end leaves the one before, and nothing of its own', async () => {
  const {kept, entries, state} = credentialManager();
  await kept.set('ann', long('a'));
  const before = new Map(entries);
  for (const part of [1, 2, 4, 5]) {
    [state.writes, state.failAt] = [0, part];
    await expect(kept.set('ann', long('b'))).rejects.toThrow('bad data');
    expect(entries).toEqual(before);
  }
  expect(await kept.get('ann')).toBe(long('a'));
});

test('where a part is missing there is an error, not half a secret', async () => {
  const {kept, entries} = credentialManager();
  await kept.set('ann', long('a'));
  const [, second = ''] = [...entries.keys()];
  entries.delete(second);
  await expect(kept.get('ann')).rejects.toThrow('Parts of ann are missing.');
});

test('one account’s parts are not those of another', async () => {
  const {kept} = credentialManager();
  await kept.set('ann', long('a'));
  await kept.set('bob', long('b'));
  await kept.remove('ann');
  expect(await kept.get('bob')).toBe(long('b'));
});
