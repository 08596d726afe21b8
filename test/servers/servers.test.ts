import {Client, StreamableHTTPClientTransport, type Transport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {reservedPort} from '../e2e/support/ports.ts';
import {surroundingsForTest} from '../e2e/support/run.ts';
import {storeIn} from '../e2e/support/store.ts';
import {startProgram} from '../providers/support/program.ts';
import {contextAt} from '../support/context.ts';
import {launcher} from '../support/terminal/terminal-environment.ts';
import {features} from './support/features.ts';
import {type Server, servers} from './support/servers.ts';

/** Which revisions a client speaks. */
const revisions = {legacy: 'legacy', dual: 'auto', modern: {pin: '2026-07-28'}} as const;

type Revision = keyof typeof revisions;

/** A client whose person has a name. */
const clientOf = (revision: Revision): Client => {
  const client = new Client(
    {name: 'test', version: '1'},
    {capabilities: {elicitation: {form: {}}}, versionNegotiation: {mode: revisions[revision]}},
  );
  client.setRequestHandler('elicitation/create', async () => ({action: 'accept', content: {name: 'Ann'}}));
  return client;
};

/** The built bridge to a server, in a home where somebody is signed in. */
const bridgeTo = (origin: string): Transport => {
  const surroundings = surroundingsForTest();
  const store = storeIn(surroundings.setupHome);
  const context = {...contextAt(origin), controlPlaneUrl: origin};
  const times = {obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000};
  store.put(context, {issuer: context.issuer, clientId: context.clientId, accessToken: 'access-0', ...times});
  return new StdioClientTransport({
    command: process.execPath,
    args: [launcher, 'mcp', 'serve', 'control-plane'],
    env: {SETUP_HOME: surroundings.setupHome},
    stderr: 'pipe',
  });
};

type Answers = Readonly<Record<string, unknown>>;

/** What a client gets by a way of its own, feature by feature. */
const answersBy = async (transport: Transport, revision: Revision): Promise<Answers> => {
  const client = clientOf(revision);
  await client.connect(transport);
  const answers: Record<string, unknown> = {};
  // One after the other: what one leaves behind is met by the next, in the same order both ways.
  for (const {name, ask} of features) answers[name] = await ask(client).catch(error => ({failed: String(error)}));
  await client.close();
  return answers;
};

/** What every result of the revision without a handshake has besides, which a translation adds (MCP 2026-07-28). */
const ofRevision = new Set(['_meta', 'ttlMs', 'cacheScope', 'resultType']);

/** Answers without what tells only in which revision they came. */
// A ping went with the handshake.
const withoutRevision = ({'the revision': _, 'a ping': __, ...answers}: Answers): Answers => {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(([name]) => !ofRevision.has(name));
    return Object.fromEntries(members.map(([name, member]) => [name, strip(member)]));
  };
  return strip(answers) as Answers;
};

const installedServers = await Promise.all(servers.map(async server => ({server, installed: await server.install()})));

const titleOf = ({name, version}: Server) => `${name} ${version}`;

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
      const port = await reservedPort();
      origin = `http://127.0.0.1:${port}`;
      const [command, ...args] = server.command(installed.directory);
      const words = [...args, String(port), ...manner.split(' ').filter(Boolean)];
      const isUp = async () => (await fetch(`${origin}/mcp`, {method: 'OPTIONS'})).status > 0;
      end = await startProgram({command, args: words, cwd: installed.directory}, origin, isUp);
    });
    afterAll(() => end());

    test.each(Object.keys(revisions) as Revision[])('a %s client', async revision => {
      const url = new URL(`${origin}/mcp`);
      const direct = await answersBy(new StreamableHTTPClientTransport(url), revision).catch(() => undefined);
      // Where the two do not meet without it, what a client of the server's revision gets is what is to be given.
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
