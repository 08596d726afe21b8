import {describe, expect, test} from 'vitest';
import {chanceOf, isGood, isUsable} from '../../../src/domain/sign-in/token-validity.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const kept = {
  issuer: 'https://idp.acme.example',
  clientId: 'cli',
  accessToken: 'shh',
  obtainedAt: 0,
  expiresAt: 60 * MINUTE,
};

describe('a token can be handed out', () => {
  test.each([
    [0, true],
    [60 * MINUTE - 31 * SECOND, true],
    [60 * MINUTE - 30 * SECOND, false],
    [60 * MINUTE, false],
  ])('until half a minute before it ends: at %d ms, %s', (now, usable) => {
    expect(isUsable(kept, now)).toBe(usable);
  });

  test('whose end nobody knows, and not one that is not there', () => {
    expect(isUsable({accessToken: 'shh'}, 1e15)).toBe(true);
    expect(isUsable({expiresAt: kept.expiresAt}, 0)).toBe(false);
  });
});

describe('a token is good as it is', () => {
  test.each([
    [44 * MINUTE, 0, true],
    [45 * MINUTE, 0, false],
    [53 * MINUTE, 1, true],
    [54 * MINUTE, 1, false],
  ])('until a share of its time that is the process’s own: at %d ms by a chance of %d, %s', (now, chance, good) => {
    expect(isGood(kept, now, chance)).toBe(good);
  });

  test('a little longer where a renewal could not be asked for, and never past its end', () => {
    expect(isGood({...kept, retryAt: 56 * MINUTE}, 55 * MINUTE, 0)).toBe(true);
    expect(isGood({...kept, retryAt: 56 * MINUTE}, 56 * MINUTE, 0)).toBe(false);
    expect(isGood({...kept, retryAt: 90 * MINUTE}, 60 * MINUTE, 0)).toBe(false);
  });

  test('to its end where nobody knows since when, and always where nobody knows of an end', () => {
    const {obtainedAt: _, ...undated} = kept;
    const {expiresAt: __, ...endless} = kept;
    expect(isGood(undated, 59 * MINUTE, 0)).toBe(true);
    expect(isGood(undated, 60 * MINUTE, 0)).toBe(false);
    expect(isGood(endless, 1e15, 0)).toBe(true);
  });
});

test('the chance of a process is its own, from 0 to 1', () => {
  const chances = [1, 2, 3, 4_194_304].map(chanceOf);
  expect(new Set(chances).size).toBe(4);
  expect(chances.every(one => one >= 0 && one < 1)).toBe(true);
});
