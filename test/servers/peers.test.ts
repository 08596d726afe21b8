import {isDeepStrictEqual} from 'node:util';
import {StreamableHTTPClientTransport, type Transport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Peer, peers} from '../../bench/bridge/peers.ts';
import {installed as installOnce} from '../providers/support/cache.ts';
import {
  type Answers,
  answersBy,
  bridgeTo,
  oneMessageAtATime,
  type Revision,
  revisions,
  TOKEN,
  withoutRevision,
} from './support/answers.ts';
import {features} from './support/features.ts';
import {servers, startServer, titleOf} from './support/servers.ts';

/** The time for a peer to answer all features, in milliseconds. After that it is killed. */
const PATIENCE = 60_000;

const installedPeers = await Promise.all(
  peers.map(async peer => ({
    peer,
    installed: await installOnce(`${peer.name}-${peer.version}`, directory => peer.install(directory)),
  })),
);
const installedServers = await Promise.all(servers.map(async server => ({server, installed: await server.install()})));

/** Two features are not compared: the revision, and the ping, which does not exist without the handshake. */
const compared = features.length - 2;

/** One line for each server and client: how many answers of each program equal those of a direct connection. */
const table: string[] = [];

afterAll(() => {
  const title = ['server, client', 'setup', ...peers.map(titleOf)].join(' | ');
  process.stdout.write(`Of ${compared} answers, so many are those of a direct connection:\n`);
  process.stdout.write(`${[title, ...table].join('\n')}\n`);
});

const peerTo = ({command}: Peer, directory: string, url: string) => {
  const [program, ...args] = command(directory, url, TOKEN);
  return oneMessageAtATime(new StdioClientTransport({command: program, args, stderr: 'ignore'}));
};

/** Returns how many answers are the expected ones. A program that does not connect in time has none. */
const equalTo = (expected: Answers, answers: Answers | undefined): number => {
  if (!answers) return 0;
  const [wanted, got] = [withoutRevision(expected), withoutRevision(answers)];
  return Object.keys(wanted).filter(name => isDeepStrictEqual(got[name], wanted[name])).length;
};

/**
 * Returns what a client gets through a program. Undefined if the program does not connect or does not answer
 * everything in time.
 */
const answersThrough = async (transport: Transport, revision: Revision): Promise<Answers | undefined> => {
  const timer = setTimeout(() => void transport.close(), PATIENCE);
  return answersBy(transport, revision)
    .catch(() => undefined)
    .finally(() => clearTimeout(timer));
};

for (const {peer, installed} of installedPeers) {
  if ('missing' in installed) test.skip(`${titleOf(peer)} (left out: ${installed.missing})`, () => {});
}

for (const {server, installed} of installedServers) {
  if ('missing' in installed) {
    test.skip(`${titleOf(server)} (left out: ${installed.missing})`, () => {});
    continue;
  }
  describe(`beside its peers, ${titleOf(server)}`, () => {
    let origin = '';
    let end: () => Promise<void> = async () => {};

    beforeAll(async () => {
      ({origin, end} = await startServer(server, installed.directory, ''));
    });
    afterAll(() => end());

    test.each(Object.keys(revisions) as Revision[])('a %s client gets as much as by any of them', async revision => {
      const url = `${origin}/mcp`;
      const directly = (as: Revision) => answersBy(new StreamableHTTPClientTransport(new URL(url)), as);
      const expected = await directly(revision).catch(() => directly('legacy'));
      const ours = equalTo(expected, await answersBy(bridgeTo(origin), revision));
      const theirs: (number | undefined)[] = [];
      for (const {peer, installed: place} of installedPeers) {
        if ('missing' in place) theirs.push(undefined);
        else {
          const transport = peerTo(peer, place.directory, url);
          theirs.push(equalTo(expected, await answersThrough(transport, revision)));
          await transport.close();
        }
      }
      const shown = [ours, ...theirs].map(count => (count === undefined ? 'not here' : String(count)));
      table.push([`${titleOf(server)}, ${revision}`, ...shown].join(' | '));
      expect(ours).toBeGreaterThanOrEqual(Math.max(...theirs.map(count => count ?? 0)));
    });
  });
}
