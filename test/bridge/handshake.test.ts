import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {createOutput} from '../../src/bridge/client-output.ts';
import {createRelay} from '../../src/mcp/relay.ts';
import type {Streams} from '../../src/ports/ports.ts';
import {away, bridgeTo} from './support/bridge.ts';
import {type Answer, eventOf, mcpServer, VERSION} from './support/mcp-server.ts';

/**
 * Returns a network on which every deadline of one kind of message passes at once. Messages without a deadline keep
 * none.
 */
const hurried =
  (method: string) =>
  (network: Streams): Streams => ({
    ...network,
    open: async (request, signal) => {
      if (!request.body?.includes(`"${method}"`)) return network.open(request, signal);
      const timeout = request.headersTimeout === undefined ? {} : {headersTimeout: 50};
      const reply = await network.open({...request, ...timeout}, signal);
      return {...reply, endWithin: () => reply.endWithin(50)};
    },
  });

const openStream: Answer = (_, response) =>
  response.writeHead(200, {'Content-Type': 'text/event-stream'}).flushHeaders();

test('what comes after it is sent also where the server never takes the word that the assistant is ready', async () => {
  const server = await mcpServer({answers: {'notifications/initialized': () => {}}});
  const between = hurried('notifications/initialized');
  const {initialize, request, logs} = await bridgeTo(server.origin, {between});
  await initialize();
  expect(await request('echo', {a: 1})).toMatchObject({result: {a: 1}});
  expect(logs).toEqual([expect.stringContaining('did not answer in time')]);
});

test('what comes after it is sent also where the server leaves its answer to that word open', async () => {
  const server = await mcpServer({answers: {'notifications/initialized': openStream}});
  const {initialize, request, logs} = await bridgeTo(server.origin);
  await initialize();
  expect(await request('echo', {a: 1})).toMatchObject({result: {a: 1}});
  await expect.poll(() => server.methods()).toContain('GET');
  expect(logs).toEqual([]);
});

test('it is over with the answer, also when that is in a stream that stays open', async () => {
  let isClosed = false;
  const server = await mcpServer({
    answers: {
      initialize: ({id}, response, seen) => {
        openStream(undefined, response, seen);
        response.once('close', () => {
          isClosed = true;
        });
        const result = {protocolVersion: VERSION, capabilities: {}, serverInfo: {name: 'fake', version: '1'}};
        response.write(eventOf({jsonrpc: '2.0', id, result}));
      },
    },
  });
  const {initialize, request} = await bridgeTo(server.origin);
  await initialize();
  expect(await request('echo', {})).toHaveProperty('result');
  expect(isClosed).toBe(false);
  expect(server.last('notifications/initialized').headers).toMatchObject({'mcp-protocol-version': VERSION});
});

test('it is answered also where the server opens a stream for it and says nothing', async () => {
  const server = await mcpServer({answers: {initialize: openStream}});
  const {initialize} = await bridgeTo(server.origin, {between: hurried('initialize')});
  expect(await initialize()).toMatchObject(away('network-timeout'));
});

test('what waits for it is counted as waiting, until it is sent and over', async () => {
  const calls: ((error: Error) => void)[] = [];
  const channel = {call: () => new Promise<never>((_, reject) => void calls.push(reject))};
  const clock = {now: () => 0, monotonic: () => 0, sleep: async () => {}};
  const output = createOutput(new PassThrough());
  const relay = createRelay({
    ...{channel, output, clock, listens: true},
    ...{log: () => {}, failed: () => {}, onIdle: () => {}},
  });
  const lines = ['initialize', 'ping'].map((method, id) => Buffer.from(JSON.stringify({jsonrpc: '2.0', id, method})));
  for (const line of lines) relay.take(line);
  const [first = 0, second = 0] = lines.map(line => line.length);
  expect(relay.waiting).toBe(first + second);
  calls[0]?.(new Error('No.'));
  await expect.poll(() => calls.length).toBe(2);
  expect(relay.waiting).toBe(second);
  calls[1]?.(new Error('No.'));
  await expect.poll(() => relay.waiting).toBe(0);
});
