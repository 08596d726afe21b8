import {Client, type Transport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {surroundingsForTest} from '../../e2e/support/run.ts';
import {storeIn} from '../../e2e/support/store.ts';
import {contextAt} from '../../support/context.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {features} from './features.ts';

/** The token that the bridge or a peer sends to the server. */
export const TOKEN = 'access-0';

/** The revisions that a client speaks. */
export const revisions = {legacy: 'legacy', dual: 'auto', modern: {pin: '2026-07-28'}} as const;

export type Revision = keyof typeof revisions;

/** Creates a client that answers a question for the person's name. */
const clientOf = (revision: Revision): Client => {
  const client = new Client(
    {name: 'test', version: '1'},
    {capabilities: {elicitation: {form: {}}}, versionNegotiation: {mode: revisions[revision]}},
  );
  client.setRequestHandler('elicitation/create', async () => ({action: 'accept', content: {name: 'Ann'}}));
  return client;
};

/** Starts the built bridge to a server, in a home with a sign-in. */
export const bridgeTo = (origin: string): Transport => {
  const surroundings = surroundingsForTest();
  const store = storeIn(surroundings.setupHome);
  const context = {...contextAt(origin), controlPlaneUrl: origin};
  const times = {obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000};
  store.put(context, {issuer: context.issuer, clientId: context.clientId, accessToken: TOKEN, ...times});
  return oneMessageAtATime(
    new StdioClientTransport({
      command: process.execPath,
      args: [launcher, 'mcp', 'serve', 'control-plane'],
      env: {SETUP_HOME: surroundings.setupHome},
      stderr: 'pipe',
    }),
  );
};

/**
 * Hands every message to the client in a turn of its own.
 *
 * The SDK's client passes progress on one turn after it has read it, and forgets the listener as soon as it has read
 * the answer. On a busy machine both arrive together, and the last progress would be lost in the test's own process.
 */
export const oneMessageAtATime = (transport: Transport): Transport => {
  let deliver: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    get: () => deliver,
    set: (handler: Transport['onmessage']) => {
      deliver = handler && ((...message) => setImmediate(() => handler(...message)));
    },
  });
  return transport;
};

export type Answers = Readonly<Record<string, unknown>>;

/** Returns what a client gets over a transport, feature by feature. */
export const answersBy = async (transport: Transport, revision: Revision): Promise<Answers> => {
  const client = clientOf(revision);
  await client.connect(transport);
  const answers: Record<string, unknown> = {};
  // One after the other, because a feature may affect the next one. The order is the same both ways.
  for (const {name, ask} of features) answers[name] = await ask(client).catch(error => ({failed: String(error)}));
  await client.close();
  return answers;
};

/** Members that every result has in the revision without a handshake, and that a translation adds (MCP 2026-07-28). */
const ofRevision = new Set(['_meta', 'ttlMs', 'cacheScope', 'resultType']);

/** Returns answers without members that only depend on the revision. */
// The ping does not exist without the handshake.
export const withoutRevision = ({'the revision': _, 'a ping': __, ...answers}: Answers): Answers => {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(([name]) => !ofRevision.has(name));
    return Object.fromEntries(members.map(([name, member]) => [name, strip(member)]));
  };
  return strip(answers) as Answers;
};
