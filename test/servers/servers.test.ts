import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Answers, answersBy, bridgeTo, type Revision, revisions, withoutRevision} from './support/answers.ts';
import {features} from './support/features.ts';
import {servers, startServer, titleOf} from './support/servers.ts';

const installedServers = await Promise.all(servers.map(async server => ({server, installed: await server.install()})));

let count = 0;

afterAll(() => {
  process.stdout.write(`${count} answers through the bridge are those of a direct connection.\n`);
});

for (const {server, installed} of installedServers) {
  if ('missing' in installed) {
    test.skip(`${titleOf(server)} (left out: ${installed.missing})`, () => {});
    continue;
  }
  describe.each(server.manners)(`${titleOf(server)}, %s`, manner => {
    let origin = '';
    let end: () => Promise<void> = async () => {};

    beforeAll(async () => {
      ({origin, end} = await startServer(server, installed.directory, manner));
    });
    afterAll(() => end());

    test.each(Object.keys(revisions) as Revision[])('a %s client', async revision => {
      const url = new URL(`${origin}/mcp`);
      const direct = await answersBy(new StreamableHTTPClientTransport(url), revision).catch(() => undefined);
      // If the two have no common revision, the expected answers are those of a client with the server's revision.
      const expected = direct ?? (await answersBy(new StreamableHTTPClientTransport(url), 'legacy'));
      const bridged = await answersBy(bridgeTo(origin), revision);
      const isTranslated = bridged['the revision'] !== expected['the revision'];
      const plain = isTranslated ? withoutRevision : (answers: Answers) => answers;
      expect(plain(bridged)).toEqual(plain(expected));
      expect(isTranslated && revision === 'legacy').toBe(false);
      const how = isTranslated ? `translated to ${String(expected['the revision'])}` : 'as directly';
      count += features.length;
      process.stdout.write(
        `${[titleOf(server), manner, revision].filter(Boolean).join(', ')}: ${features.length}, ${how}\n`,
      );
    });
  });
}
