import {expect, test} from 'vitest';
import {bridgeTo} from './support/bridge.ts';
import {type Answer, mcpServer, sendEvents, sendJson, VERSION} from './support/mcp-server.ts';

const done: Answer = ({id}, response) => sendJson(response, {jsonrpc: '2.0', id, result: {}});

/** Starts a server that can return after a restart with the capabilities in `self`. */
const returningServer = async (capabilities: object, settings: Readonly<Record<string, Answer>> = {}) => {
  const self = {serverInfo: {name: 'fake', version: '1'}, capabilities, protocolVersion: VERSION};
  const server = await mcpServer({
    answers: {
      initialize: ({id}, response) => sendEvents(response, {jsonrpc: '2.0', id, result: self}),
      ...{'logging/setLevel': done, 'resources/subscribe': done, 'resources/unsubscribe': done},
      ...settings,
    },
  });
  const set = () =>
    server.seen
      .filter(({method}) => method !== undefined && /^(logging|resources)\//.test(method))
      .map(({method, message, headers}) => [method, message.params, headers['mcp-session-id']]);
  return {server, self, set};
};

test('a session that is begun again has the log level and the subscriptions of the one before', async () => {
  const {server, set} = await returningServer({logging: {}, resources: {subscribe: true}});
  const {initialize, request, lines} = await bridgeTo(server.origin);
  await initialize();
  await request('logging/setLevel', {level: 'debug'});
  for (const uri of ['a:1', 'a:2', 'a:3']) await request('resources/subscribe', {uri});
  await request('resources/unsubscribe', {uri: 'a:2'});
  const before = set().length;
  server.forget();
  expect(await request('echo', {n: 1})).toMatchObject({result: {n: 1}});
  const [session] = server.sessions;
  expect(set().slice(before)).toEqual([
    ['logging/setLevel', {level: 'debug'}, session],
    ['resources/subscribe', {uri: 'a:1'}, session],
    ['resources/subscribe', {uri: 'a:3'}, session],
  ]);
  // The assistant does not get the answers to these requests, and they use none of its IDs.
  expect(lines.filter(line => line.includes('platform-setup'))).toEqual([]);
});

test('what the server refused is not set again, nor what was set before the assistant began anew', async () => {
  const refuses: Answer = ({id}, response) =>
    sendJson(response, {jsonrpc: '2.0', id, error: {code: -32602, message: ''}});
  const {server, set} = await returningServer({}, {'resources/subscribe': refuses});
  const {initialize, request} = await bridgeTo(server.origin);
  await initialize();
  await request('logging/setLevel', {level: 'debug'});
  await initialize();
  await request('resources/subscribe', {uri: 'a:1'});
  const before = set().length;
  server.forget();
  await request('echo', {});
  expect(set().slice(before)).toEqual([]);
});

test('what cannot be set again is said on standard error, and the call goes on', async () => {
  let isNew = false;
  const level: Answer = (message, response, seen) =>
    isNew ? void response.writeHead(500).end() : done(message, response, seen);
  const {server} = await returningServer({}, {'logging/setLevel': level});
  const {initialize, request, logs} = await bridgeTo(server.origin);
  await initialize();
  await request('logging/setLevel', {level: 'debug'});
  isNew = true;
  server.forget();
  expect(await request('echo', {})).toHaveProperty('result');
  expect(logs).toEqual([expect.stringMatching(/did not restore logging\/setLevel: .*answered 500/)]);
});

test('the assistant hears that the lists of what the server has may be others', async () => {
  const {server} = await returningServer({tools: {listChanged: true}, prompts: {}});
  const {initialize, request, messages, logs} = await bridgeTo(server.origin);
  await initialize();
  server.forget();
  await request('echo', {});
  expect(messages().flatMap(({method}) => method ?? [])).toEqual([
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
  ]);
  expect(logs).toEqual([]);
});

test.each([
  ['who wants to hear warnings', {}, 'info', true],
  ['who may be told unasked', {logging: {}}, undefined, true],
  ['not who wants errors only', {logging: {}}, 'error', false],
  ['not who cannot be told', {}, undefined, false],
])(
  'a server that came back as another is said on standard error and to the assistant: %s',
  async (_, own, level, isTold) => {
    const {server, self} = await returningServer({...own, prompts: {}, tools: {listChanged: true}});
    const {initialize, request, messages, logs} = await bridgeTo(server.origin);
    await initialize();
    if (level) await request('logging/setLevel', {level});
    self.serverInfo = {name: 'fake', version: '2\u001b[1m'};
    self.capabilities = {...own, tools: {}, resources: {}};
    self.protocolVersion = '2025-11-25';
    server.forget();
    await request('echo', {});
    const said = `${server.origin}/mcp has changed since the last session: fake 2 [1m (was fake 1); MCP 2025-11-25 (was MCP ${VERSION}); gone: prompts; new: resources; changed: tools.`;
    expect(logs).toEqual([said]);
    const told = messages().filter(({method}) => method === 'notifications/message');
    expect(told.map(({params}) => params)).toEqual(
      isTold ? [{level: 'warning', logger: 'platform-setup', data: said}] : [],
    );
    expect(server.last('echo').headers['mcp-protocol-version']).toBe('2025-11-25');
  },
);
