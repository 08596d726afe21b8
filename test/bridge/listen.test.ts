import type {ServerResponse} from 'node:http';
import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import type {AccessSource} from '../../src/bridge/access.ts';
import {createOutput} from '../../src/bridge/client-output.ts';
import {createTokenChannel} from '../../src/bridge/token-channel.ts';
import {listen} from '../../src/mcp/listen.ts';
import {createSession} from '../../src/mcp/session.ts';
import {streamsBy} from '../support/route.ts';
import {bridgeTo} from './support/bridge.ts';
import {type Answer, mcpServer} from './support/mcp-server.ts';

/** Listens at a server, with a sign-in that renews as often as asked. Ends at a second try. */
const listenAt = async (origin: string) => {
  const {signal} = new AbortController();
  const url = new URL('/mcp', origin);
  let renewals = 0;
  const {open} = streamsBy({});
  const access: AccessSource = {
    current: () => ({url, open, token: `access-${renewals}`}),
    instead: async () => {
      renewals += 1;
      return {url, open, token: `access-${renewals}`};
    },
    noticed: () => {},
    taken: () => {},
  };
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async () => Promise.reject(new Error('It is tried again.')),
  };
  const channel = createTokenChannel(access, clock);
  const session = createSession(channel, {revived: () => {}, log: () => {}, clock}, signal);
  const elsewhere = {isOpen: false, waiting: new Map()};
  await listen({channel, session, output: createOutput(new PassThrough()), clock, elsewhere}, signal);
  return renewals;
};

const unauthorised: Answer = (_, response) => void response.writeHead(401).end();

test('a server that refuses every token for its own stream costs one renewal', async () => {
  const server = await mcpServer({answers: {GET: unauthorised}});
  expect(await listenAt(server.origin)).toBe(1);
  expect(server.seen.map(({headers}) => headers.authorization)).toEqual(['Bearer access-0', 'Bearer access-1']);
});

test('a server that fails is listened to again', async () => {
  const server = await mcpServer({answers: {GET: (_, response) => void response.writeHead(503).end()}});
  await expect(listenAt(server.origin)).rejects.toThrow('It is tried again.');
});

test('an answer whose own stream has broken is taken from the stream of the server’s own messages', async () => {
  const streams: ServerResponse[] = [];
  const server = await mcpServer({
    version: '2025-11-25',
    answers: {
      GET: (_, response) => {
        response.writeHead(200, {'Content-Type': 'text/event-stream'}).write('id: 1\nretry: 250\ndata:\n\n');
        streams.push(response);
      },
      'tools/call': (_, response) => {
        response.writeHead(200, {'Content-Type': 'text/event-stream'}).end('id: 2\nretry: 250\ndata:\n\n');
      },
    },
  });
  const {initialize, request} = await bridgeTo(server.origin);
  await initialize();
  await expect.poll(() => streams.length).toBe(1);
  const called = request('tools/call', {name: 'a'});
  // The call's own stream is being resumed, and nothing comes there.
  await expect.poll(() => streams.length).toBe(2);
  const id = server.seen.find(({method}) => method === 'tools/call')?.message.id;
  streams[0]?.write(`data: ${JSON.stringify({jsonrpc: '2.0', id, result: {content: []}})}\n\n`);
  expect(await called).toMatchObject({result: {content: []}});
  expect((await request('tools/list')).error).toMatchObject({code: -32601});
});
