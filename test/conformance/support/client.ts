/**
 * The client that the suite starts, with the address of its server as the argument: an assistant on the SDK. The
 * built bridge, which is signed in at the server, connects the two. MCP_CONFORMANCE_PROTOCOL_VERSION is the revision
 * that the client asks for.
 */
import assert from 'node:assert/strict';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {storeIn} from '../../e2e/support/store.ts';
import {contextAt} from '../../support/context.ts';
import {createSurroundings, launcher} from '../../support/terminal/terminal-environment.ts';

const {MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_PROTOCOL_VERSION: revision = ''} = process.env;
/** The calls that the suite wants, if it names them. */
const {toolCalls = []} = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const {origin} = new URL(process.argv[2] ?? '');
const surroundings = createSurroundings();
const context = contextAt(origin);
storeIn(surroundings.setupHome).put(context, {
  ...{issuer: context.issuer, clientId: context.clientId, accessToken: 'access-0'},
  ...{obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000},
});

/** The requests to the server after the handshake. The suite checks what arrives there. */
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
  'request-metadata': client => client.listTools(),
  'sep-2322-client-request-state': async client => {
    client.setRequestHandler('elicitation/create', async () => ({action: 'accept', content: {confirmed: true}}));
    // The SDK refuses the one result without a type. The test is that the call is not repeated.
    await callEach(client).catch(({code}) => assert.equal(code, 'INVALID_RESULT'));
  },
  'http-standard-headers': async client => {
    await callEach(client);
    const {resources} = await client.listResources();
    for (const {uri} of resources) await client.readResource({uri});
    const {prompts} = await client.listPrompts();
    for (const {name} of prompts) await client.getPrompt({name});
  },
  'http-custom-headers': async client => {
    await client.listTools();
    for (const call of toolCalls) await client.callTool(call);
  },
  'http-invalid-tool-headers': client => callEach(client, {region: 'us-west1'}),
  'json-schema-ref-no-deref': client => client.listTools(),
  'json-schema-2020-12-preservation': async client => {
    const {tools} = await client.listTools();
    const schema = tools.find(({name}) => name === 'json_schema_2020_12_tool')?.inputSchema;
    return client.callTool({name: 'json_schema_echo', arguments: {schema}});
  },
};

/** Calls every offered tool. */
const callEach = async (client: Client, args = {}) => {
  const {tools} = await client.listTools();
  for (const {name} of tools) await client.callTool({name, arguments: args});
};

const act = acts[scenario];
if (!act) throw new Error(`Nothing is known of the scenario ${scenario}.`);
const client = new Client(
  {name: 'conformance', version: '1.0.0'},
  {
    capabilities: {elicitation: {form: {applyDefaults: true}}},
    ...(revision === '2026-07-28'
      ? {versionNegotiation: {mode: {pin: revision}}}
      : // The client asks for the first revision, and accepts any.
        {supportedProtocolVersions: [revision, '2025-11-25', '2025-06-18', '2025-03-26']}),
  },
);
try {
  const {BRIDGE_TOOLS: tools} = process.env;
  const args = [launcher, 'mcp', 'serve', 'control-plane', ...(tools ? ['--tools', tools] : [])];
  await client.connect(new StdioClientTransport({command: process.execPath, args, env: {...surroundings.env}}));
  process.stdout.write(`${JSON.stringify(await act(client))}\n`);
} finally {
  await client.close();
  surroundings.remove();
}
