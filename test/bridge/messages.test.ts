import {describe, expect, test} from 'vitest';
import {createLines} from '../../src/bridge/lines.ts';
import {createParamHeaders, encodeValue, mcpHeaders} from '../../src/mcp/headers.ts';
import {inspect, type Message, parseMessage} from '../../src/mcp/message.ts';
import {modern} from './support/bridge.ts';

const message = (value: object): Message => {
  const parsed = parseMessage(Buffer.from(JSON.stringify(value)));
  if ('code' in parsed) throw new Error(parsed.message);
  return parsed;
};

describe('a line from the assistant', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"a"}', ['1'], 'a'],
    ['{"jsonrpc":"2.0","id":"1","method":"a"}', ['"1"'], 'a'],
    ['{"jsonrpc":"2.0","method":"a"}', [], 'a'],
    ['{"jsonrpc":"2.0","id":0,"method":"a"}', ['0'], 'a'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', [], undefined],
    ['[{"jsonrpc":"2.0","id":1,"method":"a"},{"method":"b"},{"id":"x","method":"c"}]', ['1', '"x"'], undefined],
  ])('%s', (line, ids, method) => {
    const parsed = parseMessage(Buffer.from(line));
    expect(parsed).toMatchObject({questions: ids.map(id => ({id}))});
    expect('method' in parsed ? parsed.method : undefined).toBe(method);
  });

  test.each([
    ['{"jsonrpc', -32700],
    ['nonsense', -32700],
    ['42', -32600],
    ['null', -32600],
    ['[]', -32600],
    ['{"a":1}', -32600],
    ['[1]', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"a"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"a"}', -32600],
    ['{"jsonrpc":"2.0","method":"a","params":[]}', -32600],
  ])('that is malformed: %s', (line, code) => {
    expect(parseMessage(Buffer.from(line))).toMatchObject({code, ids: ['null']});
  });

  test.each([
    ['{"jsonrpc":"2.0","id":7,"method":1}', ['7']],
    ['{"jsonrpc":"2.0","id":"7"}', ['"7"']],
    ['{"jsonrpc":"2.0","id":0,"method":"a","params":[1]}', ['0']],
    ['{"jsonrpc":"2.0","id":7,"method":"a","params":null}', ['7']],
    ['{"jsonrpc":"1.0","id":7,"method":"a"}', ['7']],
    ['[{"jsonrpc":"2.0","id":1,"method":1},{"id":"b","method":"c","params":"d"},3]', ['1', '"b"', 'null']],
  ])('that is malformed in one of its members is answered by its id: %s', (line, ids) => {
    expect(parseMessage(Buffer.from(line))).toMatchObject({code: -32600, ids});
  });

  test('that is a batch goes on without its malformed members', () => {
    const line = '[{"method":"a"}, 1, {"id":2,"method":"b"},{"id":3,"method":4}]';
    const parsed = parseMessage(Buffer.from(line));
    expect(parsed).toMatchObject({questions: [{id: '2'}], malformed: {ids: ['null', '3']}});
    expect('raw' in parsed && String(parsed.raw)).toBe('[{"method":"a"},{"id":2,"method":"b"}]');
  });

  test('is whole, however the bytes come', () => {
    const text = '\uFEFFone é\n\n  two 😀\r\nthree';
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size += 1) {
      const lines: string[] = [];
      const splitter = createLines(line => void lines.push(line.toString()));
      for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
      splitter.end();
      expect(lines).toEqual(['one é', '  two 😀', 'three']);
    }
  });
});

/** Returns the same message, too large to be parsed. */
const large = (text: string) => Buffer.from(text.replace('{', `{"pad":"${'x'.repeat(70_000)}",`));

describe('a message from the server', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":{}}', ['1']],
    [' { "result" : { "id" : 7, "method": "x" }, "id" : "a\\"b" } ', ['"a\\"b"']],
    ['{"id":1.0,"error":{"code":1,"message":"}{"}}', ['1']],
    ['{"result":"\\\\","id":2}', ['2']],
    ['{"result":["method","id",{"a":[]}],"id":3}', ['3']],
    ['{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{"result":1}}', []],
    ['{"method":"notifications/progress"}', []],
    ['{"jsonrpc":"2.0","error":{"code":-32700,"message":"?"},"id":null}', ['null']],
    ['[{"id":1,"result":{}},{"id":"b","error":{}}]', ['1', '"b"']],
    ['{"error":{"code":-32700,"message":"?"}}', ['null']],
    ['{"id":1,"result":[-1.5E+3,2e-1,true,false,null,{"a" : [ 1 , 2 ]}]}', ['1']],
  ])('%s', (text, answers) => {
    expect(inspect(Buffer.from(text))).toEqual({answers});
    expect(inspect(large(text))).toEqual({answers});
  });

  test.each([
    '',
    'null',
    '"text"',
    '{}',
    '{"id":1}',
    '{"id":1,"result":{}',
    '{"id":1,"result":"x}',
    '{"result":1}}',
    '[]',
    '[1]',
    '<html>',
    '{"id":1,"result":oops}',
    '{"id":1,"result":{},}',
    '{"id":1,"result":{"a":[1, ]}}',
  ])('that is none: %s', text => {
    expect(inspect(Buffer.from(text))).toBeUndefined();
    expect(inspect(large(text))).toBeUndefined();
  });
});

describe('the headers of the 2026 era', () => {
  test.each([
    ['tools/list', {}, {'mcp-method': 'tools/list'}],
    ['tools/call', {name: 'a'}, {'mcp-method': 'tools/call', 'mcp-name': 'a'}],
    ['prompts/get', {name: 'é'}, {'mcp-method': 'prompts/get', 'mcp-name': '=?base64?w6k=?='}],
    ['resources/read', {uri: 'file:///a b'}, {'mcp-method': 'resources/read', 'mcp-name': 'file:///a b'}],
    ['tasks/get', {taskId: 't'}, {'mcp-method': 'tasks/get', 'mcp-name': 't'}],
    ['tools/call', {name: 7}, {'mcp-method': 'tools/call'}],
    ['constructor', {name: 'a'}, {'mcp-method': 'constructor'}],
    ['odd\nmethod', {}, {}],
  ])('%s %j', (method, params, headers) => {
    expect(mcpHeaders(message({jsonrpc: '2.0', id: 1, method, params: modern(params)}))).toEqual({
      'mcp-protocol-version': '2026-07-28',
      ...headers,
    });
  });

  test('are not sent in the era before', () => {
    expect(mcpHeaders(message({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'a'}}))).toEqual({});
  });

  test.each([
    ['plain', 'plain'],
    ['', '=?base64??='],
    [' a', '=?base64?IGE=?='],
    ['a\r\nb', '=?base64?YQ0KYg==?='],
    ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
  ])('carry %j as %s', (value, header) => {
    expect(encodeValue(value)).toBe(header);
  });

  test('repeat the parameters that a tool asks for, at any depth, and no others', () => {
    const headers = createParamHeaders();
    const properties = {
      region: {type: 'string', 'x-mcp-header': 'Region'},
      plain: {type: 'string'},
      deep: {type: 'object', properties: {on: {type: 'boolean', 'x-mcp-header': 'On'}}},
      many: {type: 'integer', 'x-mcp-header': 'Many'},
      bad: {type: 'string', 'x-mcp-header': 'a b'},
    };
    const tools = [{name: 'deploy', inputSchema: {type: 'object', properties}}, {name: 'other'}];
    headers.learn(Buffer.from(JSON.stringify({jsonrpc: '2.0', id: 1, result: {tools}})), false);
    const call = (name: string, input: object) =>
      headers.of(message({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name, arguments: input}}));
    expect(call('deploy', {region: 'Zürich', plain: 'x', deep: {on: true}, many: 3, bad: 'x'})).toEqual({
      'mcp-param-region': '=?base64?WsO8cmljaA==?=',
      'mcp-param-on': 'true',
      'mcp-param-many': '3',
    });
    expect(call('deploy', {region: null, many: 2 ** 60, deep: {on: {}}})).toEqual({});
    expect(call('other', {region: 'x'})).toEqual({});
  });
});
