import {expect, test} from 'vitest';
import {cancelled} from '../../../src/errors/errors.ts';
import {withShortPause} from '../../../src/flows/sign-in/oauth-fetch.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {noSignal} from '../../support/flows.ts';

/** Sends a request that gets these answers one after the other, and returns the result and the waits between them. */
const asking = async (...answers: readonly Response[]) => {
  const waited: number[] = [];
  const clock = {sleep: async (ms: number) => void waited.push(ms)};
  let sent = 0;
  const send = async () => answers[sent++] ?? new Response('none left');
  const run = {ports: {clock} as unknown as Ports, signal: noSignal};
  const {status} = await withShortPause(send, run);
  return {status, sent, waited};
};

const busy = (status: number, after?: string) =>
  new Response('busy', {status, headers: after === undefined ? {} : {'Retry-After': after}});

test.each([429, 503])('%i is waited for where it is over in a moment, once', async status => {
  expect(await asking(busy(status, '2'), new Response())).toEqual({status: 200, sent: 2, waited: [2000]});
  expect(await asking(busy(status, '0'), busy(status, '1'))).toEqual({status, sent: 2, waited: [0]});
});

test.each([
  ['a long time', busy(429, '4')],
  ['no time', busy(429)],
  ['a time that is none', busy(503, 'soon')],
  ['another status', busy(500, '1')],
  ['a success', new Response()],
])('%s is the answer', async (_what, answer) => {
  expect(await asking(answer)).toEqual({status: answer.status, sent: 1, waited: []});
});

test('who leaves meanwhile does not wait', async () => {
  const clock = {sleep: () => Promise.reject(cancelled())};
  const run = {ports: {clock} as unknown as Ports, signal: noSignal};
  await expect(withShortPause(async () => busy(429, '1'), run)).rejects.toMatchObject({code: 'cancelled'});
});
