import {expect, test} from 'vitest';
import {listToolsByCommand} from '../../../src/flows/platform-tools/list-tools.ts';
import type {Conversation, Ports} from '../../../src/ports/ports.ts';
import {noSignal} from '../../support/flows.ts';

/** A program that answers every request with what `answer` makes of it. */
const answering = (answer: (request: {id: number; method: string; params: object}) => object): Ports => {
  const lines: string[] = [];
  const conversation: Conversation = {
    send: line => {
      const request = JSON.parse(line);
      if (request.id !== undefined) lines.push(JSON.stringify({jsonrpc: '2.0', id: request.id, ...answer(request)}));
    },
    next: async () => lines.shift() ?? Promise.reject(new Error('It has ended.')),
    close: () => {},
  };
  return {clock: {monotonic: () => 0}, processes: {open: async () => conversation}} as unknown as Ports;
};

const program = {kind: 'command', command: 'bridge', args: ['serve'], env: {}} as const;

test('the tools of all pages', async () => {
  const ports = answering(({method, params}) => {
    if (method === 'initialize') return {result: {protocolVersion: '2025-06-18'}};
    const isFirst = !('cursor' in params);
    return {
      result: {tools: [{name: isFirst ? 'one' : 'two', inputSchema: {}}], ...(isFirst ? {nextCursor: 'next'} : {})},
    };
  });
  expect((await listToolsByCommand(program, ports, noSignal)).names).toEqual(['one', 'two']);
});

test('what our bridge says is wrong is what is wrong', async () => {
  const error = {code: -32_001, message: 'Nobody is signed in.', data: {code: 'auth-sign-in-required'}};
  await expect(
    listToolsByCommand(
      program,
      answering(() => ({error})),
      noSignal,
    ),
  ).rejects.toMatchObject({
    code: 'auth-sign-in-required',
    message: 'Nobody is signed in.',
  });
});

test('what another program says is its own failure, with the program named', async () => {
  const error = {code: -32_000, message: 'Out of order.', data: {code: 'no-code-of-ours'}};
  await expect(
    listToolsByCommand(
      program,
      answering(() => ({error})),
      noSignal,
    ),
  ).rejects.toMatchObject({
    code: 'local-entry-failed',
    message: 'bridge serve did not work: Out of order.',
  });
});
