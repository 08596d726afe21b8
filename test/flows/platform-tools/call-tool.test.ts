import {describe, expect, test} from 'vitest';
import {describeError} from '../../../src/errors/describe-error.ts';
import {callTool, describeTools, type ToolServer} from '../../../src/flows/platform-tools/call-tool.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {type Json, mcpServer, sendEvents} from '../../bridge/support/mcp-server.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serveRoutes} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';

const tool = (name: string) => ({name, inputSchema: {type: 'object', properties: {project: {type: 'string'}}}});

type Options = {
  readonly tools?: readonly object[];
  /** The access of the account. */
  readonly allowed?: readonly object[];
  /** True if the server itself forbids everything to a token. */
  readonly forbids?: boolean;
};

/** Starts a server whose tools answer with `result` or `error`, and the control plane that knows the account. */
const toolServer = async (answer: object = {}, {tools, allowed = [{path: '*'}], forbids}: Options = {}) => {
  const called: Json[] = [];
  const server = await mcpServer({
    answers: {
      'tools/list': ({id}, response) =>
        sendEvents(response, {
          jsonrpc: '2.0',
          id,
          result: {tools: tools ?? [tool('list_components'), tool('get_logs')]},
        }),
      'tools/call': ({id, params}, response) => {
        called.push(params);
        if (forbids) return void response.writeHead(403, {'Content-Type': 'text/plain'}).end('not yours');
        sendEvents(response, {jsonrpc: '2.0', id, ...answer});
      },
    },
  });
  const user = {type: 'user', entitlement_claim: 'groups', entitlement_values: ['developers']};
  const controlPlaneUrl = await serveRoutes({[bundled.paths.profile]: json({user, capabilities: {a: {allowed}}})});
  const address: ToolServer = {
    ...{
      url: `${server.origin}/mcp`,
      headers: {Authorization: 'Bearer access-0'},
      name: 'control-plane',
      token: 'access-0',
    },
    controlPlane: {platform: bundled, controlPlaneUrl, version: '1.2.3'},
  };
  const ports = await temporaryPorts();
  const call = async (name = 'list_components', words: readonly string[] = []) =>
    (await collect(callTool, {server: address, tool: name, toolArguments: {words}}, ports)).result;
  const describeAll = async () => (await collect(describeTools, address, ports)).result;
  return {call, describeAll, called, url: address.url};
};

const nothing = {allowed: []};
const content = (...texts: readonly string[]) => texts.map(text => ({type: 'text', text}));
const said = (...texts: readonly string[]) => ({result: {content: content(...texts)}});
const failed = (text: string) => ({result: {content: content(text), isError: true}});
const refused = (message: string) => ({error: {code: -32_000, message}});

describe('the tools', () => {
  test('are listed with what they take', async () => {
    const {describeAll} = await toolServer({}, nothing);
    expect(await describeAll()).toEqual([tool('list_components'), tool('get_logs')]);
  });

  test('that there are none of are for want of a role, where that is so', async () => {
    const {describeAll} = await toolServer({}, {tools: [], ...nothing});
    await expect(describeAll()).rejects.toMatchObject({code: 'auth-no-role'});
  });

  test('that there are none of are none for who has a role', async () => {
    const {describeAll} = await toolServer({}, {tools: []});
    expect(await describeAll()).toEqual([]);
  });
});

describe('an answer', () => {
  test('is its texts, and the arguments are the ones that were given', async () => {
    const {call, called} = await toolServer(said('one', 'two'));
    expect(await call('list_components', ['project=shop'])).toEqual({
      texts: ['one', 'two'],
      raw: {content: content('one', 'two'), isError: false},
    });
    expect(called).toEqual([{name: 'list_components', arguments: {project: 'shop'}}]);
  });

  test.each<[string, object, unknown]>([
    ['that is structured', {result: {content: content('{"b": 2}'), structuredContent: {a: 1}}}, {a: 1}],
    ['that is JSON', said('{"b": 2}'), {b: 2}],
    ['that is JSON twice', said('1', '2'), undefined],
    ['that is no JSON', said('hello'), undefined],
    ['that is nothing', said(), undefined],
  ])('%s is read as a value', async (_, answer, value) => {
    const {call} = await toolServer(answer);
    const found = await call();
    expect(found.value).toEqual(value);
    expect('value' in found).toBe(value !== undefined);
  });

  test('of another kind than text is named', async () => {
    const {call} = await toolServer({
      result: {
        content: [
          {type: 'image', text: 'x'},
          {type: 'text', text: 1},
        ],
      },
    });
    expect((await call()).texts).toEqual(['(image)', '1']);
  });
});

describe('an empty list', () => {
  const empty: readonly string[] = ['[]', '{"items": []}', '{"items": [], "total": 0, "more": []}'];
  test.each(empty)('(%s) is for want of a role, where that is so', async text => {
    const {call} = await toolServer(said(text), nothing);
    await expect(call()).rejects.toMatchObject({code: 'auth-no-role'});
  });

  test.each(empty)('(%s) is the answer for who has a role', async text => {
    const {call} = await toolServer(said(text));
    expect((await call()).value).toEqual(JSON.parse(text));
  });

  test.each(['[1]', '{"items": [1]}', '{"items": [], "more": [1]}', '{}', '{"total": 0}', 'null', '"none"', '0'])(
    'is not %s',
    async text => {
      const {call} = await toolServer(said(text), nothing);
      expect((await call()).value).toEqual(JSON.parse(text));
    },
  );
});

describe('a tool', () => {
  test.each([
    ['list_component', 'Did you mean list_components?'],
    ['get_log', 'Did you mean get_logs?'],
    ['delete_everything', 'See npx setup mcp tools control-plane.'],
  ])('%s that there is not is said, with what was meant', async (name, remedy) => {
    const {call, called, url} = await toolServer();
    await expect(worded(call(name))).rejects.toMatchObject({
      code: 'input-invalid',
      message: `${url} has no tool ${name}.`,
      remedy,
      about: {url},
    });
    expect(called).toEqual([]);
  });

  test('that there is not is for want of a role, where that is so', async () => {
    const {call} = await toolServer({}, nothing);
    await expect(call('other')).rejects.toMatchObject({code: 'auth-no-role'});
  });

  test('is not called with arguments that it does not take', async () => {
    const {call, called} = await toolServer();
    await expect(call('list_components', ['colour=blue'])).rejects.toMatchObject({code: 'input-invalid'});
    expect(called).toEqual([]);
  });

  test('that fails says why', async () => {
    const {call} = await toolServer(failed('no such\nproject'), nothing);
    await expect(call()).rejects.toMatchObject({
      code: 'platform-tool-failed',
      message: 'list_components failed: no such project.',
    });
  });

  test('that fails by an error of the protocol says why', async () => {
    const {call, url} = await toolServer(refused('out of order'), nothing);
    await expect(call()).rejects.toMatchObject({
      code: 'platform-mcp-failed',
      message: `${url} did not answer as an MCP server: out of order.`,
    });
  });

  const unreachable = [
    'failed to search logs: dial tcp 10.0.0.7:9200: connect: connection refused',
    'Post "https://opensearch:9200/_search": dial tcp: lookup opensearch on 10.96.0.10:53: no such host',
    'read tcp 10.0.0.1:1->10.0.0.7:9200: read: connection reset by peer',
    'dial tcp 10.0.0.7:9200: i/o timeout',
    'connect ECONNREFUSED 10.0.0.7:9200',
    'getaddrinfo ENOTFOUND opensearch',
  ];
  test.each(unreachable.flatMap(text => [failed(text), refused(text)].map(answer => ({text, answer}))))(
    'whose server could not reach what is behind it is the operators’ turn ($text)',
    async ({text, answer}) => {
      const {call, url} = await toolServer(answer);
      const error = await call().catch(one => one);
      expect(error).toMatchObject({
        code: 'platform-tool-cut-off',
        about: {url},
        message: `${url} answers, but could not reach something that list_components needs: ${text}.`,
      });
      expect(describeError(error)).toMatchObject({whose: 'platform', remedy: expect.stringMatching(/operators/)});
    },
  );

  test('that fails for what it was given is not taken for one that is cut off', async () => {
    const {call} = await toolServer(failed('the field "host" refused the value dial'));
    await expect(call()).rejects.toMatchObject({code: 'platform-tool-failed'});
  });

  const words = [
    'not authorized to do that',
    'Missing permission: x',
    'insufficient permission',
    'Insufficient permissions.',
  ];
  test.each(words.flatMap(text => [failed(text), refused(text)].map(answer => ({text, answer}))))(
    'that may not be called says so ($text)',
    async ({text, answer}) => {
      const {call} = await toolServer(answer);
      await expect(call()).rejects.toMatchObject({
        code: 'auth-permission-missing',
        message: `You may not call list_components: ${text}`,
      });
      const {call: callWithoutRole} = await toolServer(answer, nothing);
      await expect(callWithoutRole()).rejects.toMatchObject({code: 'auth-no-role'});
    },
  );

  test.each([
    ['auth-permission-missing', {}],
    ['auth-no-role', nothing],
  ])('that the server itself does not let anybody call is said (%s)', async (code, options) => {
    const {call} = await toolServer({}, {...options, forbids: true});
    await expect(call()).rejects.toMatchObject({code});
  });
});
