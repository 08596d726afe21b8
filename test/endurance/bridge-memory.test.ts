import type {ServerResponse} from 'node:http';
import {expect, test} from 'vitest';
import {type Answer, mcpServer} from '../bridge/support/mcp-server.ts';
import {startBridge} from '../e2e/support/bridge.ts';
import {signedIn} from '../e2e/support/sign-in/signed-in.ts';

const MIB = 1024 * 1024;
const good = () => ({obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000});

/** Starts a bridge to a server whose tools answer in this way, warms it up, and begins its session. */
const bridgeWith = async (answer: Answer) => {
  const server = await mcpServer({answers: {'tools/call': answer}});
  const {options} = signedIn(server.origin, good());
  const bridge = startBridge(['control-plane'], options.surroundings);
  await bridge.initialize();
  for (let call = 0; call < 20; call += 1) await bridge.request('echo', {call});
  const call = (id: string, size = 0) =>
    bridge.send({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: {name: 'a', arguments: {text: 'x'.repeat(size)}},
    });
  /** Ends the bridge as an assistant does, and returns the time in milliseconds. */
  const end = async () => {
    const began = performance.now();
    bridge.stdin.end();
    expect(await bridge.ended).toEqual({code: 0, signal: null, stderr: ''});
    return performance.now() - began;
  };
  return {server, bridge, call, end};
};

/** Begins an answer and never continues it. */
const opens: Answer = (_, response) => response.writeHead(200, {'Content-Type': 'text/event-stream'}).flushHeaders();

const drained = (response: ServerResponse) =>
  new Promise<void>(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });

type Manner = 'counted' | 'uncounted' | 'event';

/** Sends a result of `size` bytes: with a Content-Length, without one, or as an event. */
const sendLarge = async (response: ServerResponse, id: unknown, size: number, manner: Manner) => {
  const [before, after] = manner === 'event' ? ['data: ', '\n\n'] : ['', ''];
  const [head, tail] = [`${before}{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"text":"`, `"}}${after}`];
  const length = manner === 'counted' ? {'Content-Length': head.length + size + tail.length} : {};
  response.writeHead(200, {'Content-Type': manner === 'event' ? 'text/event-stream' : 'application/json', ...length});
  response.write(head);
  const part = 'x'.repeat(64 * 1024);
  for (let sent = 0; sent < size; sent += part.length) {
    if (response.destroyed) return;
    if (!response.write(part)) await drained(response);
  }
  response.end(tail);
};

test('40 MB of arguments that no server answers make it neither deaf nor deathless', async () => {
  const {server, bridge, call, end} = await bridgeWith(() => {});
  call('large', 40 * MIB);
  await expect.poll(() => server.methods().at(-1), {timeout: 10_000}).toBe('tools/call');
  expect(await bridge.request('echo', {n: 1})).toMatchObject({result: {n: 1}});
  expect(await end()).toBeLessThan(5_000);
}, 30_000);

test('cancelled calls whose requests held 36 MB are let go of', async () => {
  const {server, bridge, call, end} = await bridgeWith(() => {});
  const before = await bridge.memory();
  for (const id of ['a', 'b', 'c']) call(id, 12 * MIB);
  await expect.poll(() => server.methods().filter(one => one === 'tools/call').length, {timeout: 10_000}).toBe(3);
  for (const requestId of ['a', 'b', 'c']) bridge.notify('notifications/cancelled', {requestId});
  expect(await bridge.request('echo', {n: 1})).toMatchObject({result: {n: 1}});
  await expect.poll(async () => (await bridge.memory()) - before, {timeout: 15_000}).toBeLessThan(20);
  expect(await end()).toBeLessThan(5_000);
}, 40_000);

test('200 cancelled calls do not keep their connections, nor the process', async () => {
  let isOpen = 0;
  const {server, bridge, call, end} = await bridgeWith((message, response, seen) => {
    isOpen += 1;
    response.once('close', () => {
      isOpen -= 1;
    });
    // Half of the calls get nothing, and the others the beginning of an answer.
    if (isOpen % 2 === 0) opens(message, response, seen);
  });
  const cancelAll = async (name: string) => {
    const ids = Array.from({length: 200}, (_, n) => `${name}${n}`);
    for (const id of ids) call(id);
    await expect.poll(() => isOpen, {timeout: 10_000}).toBe(200);
    for (const requestId of ids) bridge.notify('notifications/cancelled', {requestId});
  };
  await cancelAll('first');
  await expect.poll(() => isOpen, {timeout: 10_000}).toBe(0);
  expect(await bridge.request('echo', {n: 1})).toMatchObject({result: {n: 1}});
  await cancelAll('second');
  expect(await end()).toBeLessThan(4_000);
  expect(server.sessions.size).toBe(0);
}, 40_000);

test.each<[string, Manner, RegExp]>([
  ['its size is known', 'counted', /returned 80 MiB in one message; the limit is 64 MiB/],
  ['its size is not', 'uncounted', /returned more than 64 MiB in one message/],
  ['it is an event', 'event', /returned more than 64 MiB in one message/],
])(
  'an answer that is too large is refused where %s, and not kept',
  async (_, manner, said) => {
    const {bridge, end} = await bridgeWith(({id}, response) => sendLarge(response, id, 80 * MIB, manner));
    const before = await bridge.memory();
    const {error} = await bridge.request('tools/call', {name: 'a'});
    expect(error).toMatchObject({data: {code: 'platform-invalid-answer'}, message: expect.stringMatching(said)});
    expect(error.message).toContain('it may have gone through');
    expect((await bridge.memory()) - before).toBeLessThan(20);
    expect(await bridge.request('echo', {n: 1})).toMatchObject({result: {n: 1}});
    await end();
  },
  30_000,
);

test.each<Manner>(['uncounted', 'event'])(
  '60 results of 5 MB leave it as small as it was: %s',
  async manner => {
    const {bridge, end} = await bridgeWith(({id}, response) => sendLarge(response, id, 5 * MIB, manner));
    const before = await bridge.memory();
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all([1, 2, 3].map(() => bridge.request('tools/call', {name: 'a'})));
      for (const {result} of answers) expect(result.text.length).toBe(5 * MIB);
      bridge.lines.length = 0;
    }
    const growth = (await bridge.memory()) - before;
    expect(growth).toBeLessThan(30);
    await end();
  },
  60_000,
);
