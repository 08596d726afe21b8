import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import {Secret, secretFrom, secretsIn} from '../../src/domain/secret.ts';

describe('a secret', () => {
  const secret = new Secret('hunter2');

  test.each([
    ['a template', `${secret}`],
    ['what is put together', `x${String(secret)}`],
    ['JSON', JSON.stringify({secret, list: [secret]})],
    ['what Node prints', inspect({deep: {secret}}, {depth: 9, showHidden: true})],
    ['its keys', Object.keys(secret).join()],
    ['an error', String(new Error(`it failed with ${secret}`))],
  ])('is not in %s', (_where, text) => {
    expect(text).not.toContain('hunter2');
  });

  test('shows itself to who asks', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  test('is not made of nothing', () => {
    expect(secretFrom('')).toBeUndefined();
    expect(secretFrom(undefined)).toBeUndefined();
    expect(secretFrom('x')?.reveal()).toBe('x');
  });

  test('is found wherever it stands in a value', () => {
    const value = {a: [{b: secret}], c: 'text', d: null, e: secret};
    expect(secretsIn(value).map(one => one.reveal())).toEqual(['hunter2', 'hunter2']);
    expect(secretsIn('text')).toEqual([]);
  });
});
