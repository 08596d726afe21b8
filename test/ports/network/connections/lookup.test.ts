import {expect, test} from 'vitest';
import {askOnce, lookUpOne, lookup} from '../../../../src/ports/network/connections/lookup.ts';

const ask = (host: string, all: boolean) =>
  new Promise(resolve => lookup(host, {all}, (error, address, family) => resolve([error, address, family])));

test('a name below localhost is loopback without a query', async () => {
  expect(await ask('api.acme.localhost', false)).toEqual([null, '127.0.0.1', 4]);
  const both = [
    {address: '127.0.0.1', family: 4},
    {address: '::1', family: 6},
  ];
  expect(await ask('api.acme.localhost', true)).toEqual([null, both, undefined]);
});

test('another name is the system’s to know', async () => {
  expect(await ask('192.0.2.1', false)).toEqual([null, '192.0.2.1', 4]);
});

test('one address is found for a proxy that takes no names', async () => {
  expect(await lookUpOne('192.0.2.1', 4)).toBe('192.0.2.1');
  await expect(lookUpOne('no-such-host.invalid', 0)).rejects.toMatchObject({code: expect.stringMatching(/^E/)});
});

test('a question is joined for two seconds, and one that hangs is in nobody’s way after that', async () => {
  let time = 0;
  const questions: PromiseWithResolvers<{address: string; family: number}[]>[] = [];
  const ask = askOnce(
    () => {
      const question = Promise.withResolvers<{address: string; family: number}[]>();
      questions.push(question);
      return question.promise;
    },
    () => time,
  );
  const first = ask('api.acme.example', {});
  time = 2_000;
  expect(ask('api.acme.example', {all: true})).toBe(first);
  expect(ask('other.acme.example', {})).not.toBe(first);
  time = 2_001;
  const second = ask('api.acme.example', {});
  expect(second).not.toBe(first);
  questions[0]?.resolve([]);
  await first;
  expect(ask('api.acme.example', {})).toBe(second);
  questions[2]?.resolve([{address: '192.0.2.1', family: 4}]);
  expect(await second).toEqual([{address: '192.0.2.1', family: 4}]);
  expect(ask('api.acme.example', {})).not.toBe(second);
});
