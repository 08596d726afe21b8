/**
 * The client that the suite starts, with the address of its server as the argument: an assistant on the SDK, and between
 * it and the server the built bridge, signed in there. Which revision it asks for is in CONFORMANCE_REVISION.
 */
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {storeIn} from '../../e2e/support/store.ts';
import {contextAt} from '../../support/context.ts';
import {createSurroundings, launcher} from '../../support/terminal/terminal-environment.ts';

const {MCP_CONFORMANCE_SCENARIO: scenario = '', CONFORMANCE_REVISION: revision = ''} = process.env;
const {origin} = new URL(process.argv[2] ?? '');
const surroundings = createSurroundings();
const context = contextAt(origin);
storeIn(surroundings.setupHome).put(context, {
  ...{issuer: context.issuer, clientId: context.clientId, accessToken: 'access-0'},
  ...{obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000},
});

/** What is asked of the server once the handshake is over; the suite looks at what arrives there. */
const acts: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  initialize: client => client.listTools(),
  tools_call: async client => {
    await client.listTools();
    return client.callTool({name: 'add_numbers', arguments: {a: 5, b: 3}});
  },
  'elicitation-sep1034-client-defaults': async client => {
    client.setRequestHandler('elicitation/create', async () => ({action: 'accept', content: {}}));
    await client.listTools();
    return client.callTool({name: 'test_client_elicitation_defaults', arguments: {}});
  },
  'sse-retry': async client => {
    await client.listTools();
    return client.callTool({name: 'test_reconnection', arguments: {}});
  },
};

const act = acts[scenario];
if (!act) throw new Error(`Nothing is known of the scenario ${scenario}.`);
const client = new Client(
  {name: 'conformance', version: '1.0.0'},
  {
    capabilities: {elicitation: {form: {applyDefaults: true}}},
    // The first is asked for, and any is taken.
    supportedProtocolVersions: [revision, '2025-11-25', '2025-06-18', '2025-03-26'],
  },
);
try {
  const args = [launcher, 'mcp', 'serve', 'control-plane'];
  await client.connect(new StdioClientTransport({command: process.execPath, args, env: {...surroundings.env}}));
  process.stdout.write(`${JSON.stringify(await act(client))}\n`);
} finally {
  await client.close();
  surroundings.remove();
}
