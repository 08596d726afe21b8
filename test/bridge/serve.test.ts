import {expect, test} from 'vitest';
import type {Streams} from '../../src/ports/network/streams.ts';
import {bridgeTo} from './support/bridge.ts';
import {mcpServer} from './support/mcp-server.ts';

/** More than half of what is held while the server does not take it. */
const LARGE = 'x'.repeat(17 * 1024 * 1024);

test('standard input is not read while too much waits for the server, and is read again once that is over', async () => {
  const server = await mcpServer();
  const held: (() => void)[] = [];
  // Nothing that the assistant sends in the meantime gets any further than this.
  const between = (network: Streams): Streams => ({
    ...network,
    open: async (request, signal) => {
      if (request.body?.includes('"method":"echo"')) await new Promise<void>(resolve => held.push(resolve));
      return network.open(request, signal);
    },
  });
  const {initialize, request, stdin} = await bridgeTo(server.origin, {between});
  await initialize();
  const answers = [request('echo', {LARGE}), request('echo', {LARGE})];
  await expect.poll(() => stdin.isPaused()).toBe(true);
  // What is sent now stays where it is.
  const late = request('echo', {late: true});
  await expect.poll(() => held.length).toBe(2);
  expect(stdin.readableLength).toBeGreaterThan(0);
  for (const release of held) release();
  await Promise.all(answers);
  expect(stdin.isPaused()).toBe(false);
  await expect.poll(() => held.length).toBe(3);
  held[2]?.();
  expect(await late).toMatchObject({result: {late: true}});
});
