import {describe, expect, test} from 'vitest';
import {watch} from '../../../src/bridge/local-server/watch.ts';
import {type About, type ErrorCode, SetupError} from '../../../src/errors/errors.ts';
import {noSignal} from '../../support/flows.ts';

type Script = {
  /** The reason why each try fails. The try after the last one works. */
  readonly failures: readonly (readonly [ErrorCode, About?])[];
  /** The time at which another process changes something, in milliseconds. */
  readonly changesAt?: number;
  readonly waits?: boolean;
  readonly end?: number;
};

/** Returns the times of the tries, in milliseconds of a clock that the sleeps advance. */
const triesOf = async ({failures, changesAt = Number.POSITIVE_INFINITY, waits = false, end}: Script) => {
  let now = 0;
  const tries: number[] = [];
  const clock = {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms: number) => {
      now += ms;
      if (end !== undefined && now > end) throw new Error('over');
    },
  };
  const attempt = async () => {
    const failure = failures[tries.length];
    tries.push(now);
    return failure && new SetupError(failure[0], 'No.', failure[1] ? {about: failure[1]} : {});
  };
  const changes = () => (now >= changesAt ? 'changed' : 'as it was');
  await watch({changes, waits, attempt}, clock, noSignal).catch(() => {});
  return tries;
};

const pausesIn = (tries: readonly number[]) => tries.slice(1).map((at, index) => at - (tries[index] ?? 0));

describe('it is tried again', () => {
  test('where a network or a server is at fault, in pauses that grow up to a minute', async () => {
    const tries = await triesOf({failures: Array.from({length: 12}, () => ['network-refused'] as const)});
    expect(tries).toHaveLength(13);
    const pauses = pausesIn(tries);
    expect(pauses[0]).toBeGreaterThanOrEqual(1_500);
    expect(pauses[0]).toBeLessThanOrEqual(3_000);
    expect(Math.min(...pauses.slice(6))).toBeGreaterThanOrEqual(45_000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(75_500);
  });

  test('not before a busy server wants it', async () => {
    const [pause = 0] = pausesIn(await triesOf({failures: [['platform-busy', {retryAfter: 40_000}]]}));
    expect(pause).toBeGreaterThanOrEqual(40_000);
    expect(pause).toBeLessThanOrEqual(41_000);
  });

  test('where a person has to do something, only once something has changed', async () => {
    for (const code of ['auth-sign-in-required', 'input-invalid', 'local-config-invalid'] as const) {
      expect(await triesOf({failures: [[code]], end: 3_600_000})).toEqual([0]);
      const [first, second = 0] = await triesOf({failures: [[code]], changesAt: 90_000});
      expect(first).toBe(0);
      expect(second).toBeGreaterThanOrEqual(90_000);
      expect(second).toBeLessThanOrEqual(91_000);
    }
  });

  test('at once where something has changed, also in a long pause', async () => {
    const failures = Array.from({length: 9}, () => ['platform-error'] as const);
    const tries = await triesOf({failures, changesAt: 200_000});
    const after = tries.filter(at => at >= 200_000);
    expect(after[0]).toBeLessThanOrEqual(201_000);
    expect(pausesIn(after)[0]).toBeLessThanOrEqual(3_000);
  });
});

test('it is not tried again once that is over, or once it has worked', async () => {
  expect(await triesOf({failures: [], changesAt: 5_000})).toEqual([0]);
  const over = new AbortController();
  let tries = 0;
  const attempt = async () => {
    tries += 1;
    over.abort();
    return new SetupError('network-refused', 'No.');
  };
  const clock = {now: () => 0, monotonic: () => 0, sleep: () => Promise.reject(new Error('It is slept once more.'))};
  await watch({changes: () => '', waits: false, attempt}, clock, over.signal);
  expect(tries).toBe(1);
});

test('it is tried again, in the same way, where another process holds a file', async () => {
  expect((await triesOf({failures: [['local-locked']], end: 3_600_000})).length).toBe(2);
});

test('the first try can wait for a change', async () => {
  expect(await triesOf({failures: [], waits: true, end: 60_000})).toEqual([]);
  const [first = 0] = await triesOf({failures: [], waits: true, changesAt: 5_000});
  expect(first).toBeGreaterThanOrEqual(5_000);
});
