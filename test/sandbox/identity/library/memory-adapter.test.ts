import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {memoryAdapter} from '../../../../src/sandbox/identity/oidc-provider.ts';

beforeEach(() => {
  vi.useFakeTimers({now: 0});
});

afterEach(() => {
  vi.useRealTimers();
});

test('what is kept is found by its ID until it is removed', async () => {
  const adapter = memoryAdapter();
  await adapter.upsert('a', {accountId: 'one'}, 60);
  expect(await adapter.find('a')).toEqual({accountId: 'one'});
  expect(await adapter.find('b')).toBeUndefined();
  await adapter.destroy('a');
  expect(await adapter.find('a')).toBeUndefined();
});

test('it can linger after that', async () => {
  const adapter = memoryAdapter({linger: 10});
  await adapter.upsert('a', {userCode: 'x'}, 60);
  vi.setSystemTime(69_999);
  expect(await adapter.findByUserCode('x')).toBeDefined();
  vi.setSystemTime(70_000);
  expect(await adapter.findByUserCode('x')).toBeUndefined();
});

test('it is gone when its time is over', async () => {
  const adapter = memoryAdapter();
  await adapter.upsert('short', {uid: 'x'}, 60);
  await adapter.upsert('endless', {});
  vi.setSystemTime(59_999);
  expect(await adapter.find('short')).toBeDefined();
  vi.setSystemTime(60_000);
  expect(await adapter.find('short')).toBeUndefined();
  expect(await adapter.findByUid('x')).toBeUndefined();
  expect(await adapter.find('endless')).toBeDefined();
});

test('it says when it was used', async () => {
  const adapter = memoryAdapter();
  await adapter.upsert('code', {}, 60);
  vi.setSystemTime(5000);
  await adapter.consume('code');
  await adapter.consume('unknown');
  expect(await adapter.find('code')).toEqual({consumed: 5});
});

test('everything of a grant goes together', async () => {
  const adapter = memoryAdapter();
  for (const [id, grantId] of [
    ['a', 'one'],
    ['b', 'one'],
    ['c', 'two'],
  ] as const) {
    await adapter.upsert(id, {grantId}, 60);
  }
  await adapter.revokeByGrantId('one');
  expect(await adapter.find('a')).toBeUndefined();
  expect(await adapter.find('b')).toBeUndefined();
  expect(await adapter.find('c')).toBeDefined();
});

test('sessions and devices are found by their other names', async () => {
  const adapter = memoryAdapter();
  await adapter.upsert('session', {uid: 'u'}, 60);
  await adapter.upsert('device', {userCode: 'c'}, 60);
  expect(await adapter.findByUid('u')).toEqual({uid: 'u'});
  expect(await adapter.findByUserCode('c')).toEqual({userCode: 'c'});
});
