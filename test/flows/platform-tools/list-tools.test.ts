import {expect, test, vi} from 'vitest';
import {listTools, listToolsByCommand} from '../../../src/flows/platform-tools/list-tools.ts';
import {SEAL} from '../../../src/mcp/client.ts';
import {BRIDGE_FAILED} from '../../../src/mcp/message.ts';
import type {Conversation, Ports} from '../../../src/ports/ports.ts';
import {SETUP} from '../../../src/setup-command.ts';
import {mcpServer, sendJson} from '../../bridge/support/mcp-server.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';

/** Returns ports with a program that answers every request with the result of `answer`. */
const answering = (
  answer: (request: {id: number; method: string; params: object}, seal: string | undefined) => object,
): Ports => {
  const lines: string[] = [];
  let seal: string | undefined;
  const conversation: Conversation = {
    send: line => {
      const request = JSON.parse(line);
      if (request.id !== undefined)
        lines.push(JSON.stringify({jsonrpc: '2.0', id: request.id, ...answer(request, seal)}));
    },
    next: async () => lines.shift() ?? Promise.reject(new Error('It has ended.')),
    close: () => {},
  };
  let now = 1000.2;
  const monotonic = () => {
    now += 30.4;
    return now;
  };
  const open = vi.fn<Ports['processes']['open']>(async (_command, _args, {env}) => {
    seal = env[SEAL];
    return conversation;
  });
  return {clock: {monotonic}, processes: {open}} as unknown as Ports;
};

const program = {kind: 'command', command: 'bridge', args: ['serve'], env: {SETUP_HOME: '/home'}} as const;

test('the tools of all pages', async () => {
  const ports = answering(({method, params}) => {
    if (method === 'initialize') return {result: {protocolVersion: '2025-06-18'}};
    const isFirst = !('cursor' in params);
    return {
      result: {tools: [{name: isFirst ? 'one' : 'two', inputSchema: {}}], ...(isFirst ? {nextCursor: 'next'} : {})},
    };
  });
  // The duration is in whole milliseconds.
  expect(await listToolsByCommand(program, ports, noSignal)).toEqual({
    names: ['one', 'two'],
    tokens: expect.any(Number),
    reading: {tools: 0, tokens: 0},
    ms: 30,
  });
  // Our own bridge then names this program in its remedies as this run does.
  const env = {...program.env, [SEAL]: expect.any(String), SETUP_COMMAND: SETUP};
  expect(ports.processes.open).toHaveBeenCalledWith('bridge', ['serve'], {env, signal: expect.any(AbortSignal)});
});

test('the tools of a server are asked for with the headers of the entry, each call told', async () => {
  const tools = [{name: 'one', inputSchema: {}}];
  const server = await mcpServer({
    answers: {'tools/list': ({id}, response) => sendJson(response, {jsonrpc: '2.0', id, result: {tools}})},
  });
  const told = vi.fn();
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: told};
  const {names, tokens} = await listTools({url: `${server.origin}/mcp`, headers: {'X-Key': 'k'}}, run);
  expect(names).toEqual(['one']);
  expect(tokens).toBe(Math.ceil(JSON.stringify(tools[0]).length / 4));
  expect(server.last('tools/list').headers['x-key']).toBe('k');
  expect(told).toHaveBeenCalledWith(expect.objectContaining({type: 'call-answered'}));
});

test('what our bridge says is wrong is what is wrong, and a server cannot say it in its place', async () => {
  const error = (seal?: string) => ({
    code: BRIDGE_FAILED,
    message: 'Nobody is signed in.',
    data: {code: 'auth-sign-in-required', seal},
  });
  const forged = listToolsByCommand(
    program,
    answering(() => ({error: error()})),
    noSignal,
  );
  await expect(forged).rejects.toMatchObject({code: 'local-entry-failed'});
  await expect(
    listToolsByCommand(
      program,
      answering((_, seal) => ({error: error(seal)})),
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
    message: 'bridge serve failed: Out of order.',
  });
});
