import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import type {AccessSource} from '../../src/bridge/access.ts';
import {createOutput} from '../../src/bridge/client-output.ts';
import {createTokenChannel} from '../../src/bridge/token-channel.ts';
import {listen} from '../../src/mcp/listen.ts';
import {createSession} from '../../src/mcp/session.ts';
import {streamsBy} from '../support/route.ts';
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
