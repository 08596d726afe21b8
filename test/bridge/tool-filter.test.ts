import {describe, expect, test} from 'vitest';
import {createToolFilter} from '../../src/bridge/tool-filter.ts';

/** Returns a filter that is on, the messages for the assistant, and functions for both directions. */
const filter = ({isOn = (): boolean => true, reading = [] as readonly string[]} = {}) => {
  const told: string[] = [];
  const output = {write: (message: Buffer) => void told.push(message.toString())};
  const made = createToolFilter({output, isOn, reading: () => reading});
  return {
    told,
    take: (message: unknown) => made.take(Buffer.from(JSON.stringify(message)))?.toString(),
    hear: (message: unknown) => made.output.write(Buffer.from(JSON.stringify(message))),
    hearText: (text: string) => made.output.write(Buffer.from(text)),
  };
};

const call = (name: unknown, id: unknown = 1) => ({jsonrpc: '2.0', id, method: 'tools/call', params: {name}});
const list = (id: unknown = 1) => ({jsonrpc: '2.0', id, method: 'tools/list'});
const tools = (...named: readonly (string | [string, boolean])[]) =>
  named.map(one =>
    typeof one === 'string' ? {name: one} : {name: one[0], annotations: {readOnlyHint: one[1], title: 'A'}},
  );
const answer = (of: readonly object[], id: unknown = 1, more: object = {}) => ({
  ...{jsonrpc: '2.0', id},
  result: {tools: of, ...more},
});
const refusal = (id: unknown = 1) => ({
  ...{jsonrpc: '2.0', id},
  error: {code: -32602, message: 'This connection may only look.'},
});
const names = (text: string | undefined) => JSON.parse(text ?? '').result.tools.map(({name}: {name: string}) => name);

describe('a call', () => {
  test.each(['get_project', 'list_components', 'query_logs', 'search_phrase', 'describe_pod', 'sign_in'])(
    'of %s passes byte for byte',
    name => {
      const {take, told} = filter();
      expect(take(call(name))).toBe(JSON.stringify(call(name)));
      expect(told).toEqual([]);
    },
  );

  test.each([
    ...['create_component', 'delete_project', 'trigger_workflow_run', 'evaluate_authz', 'getaway', 'GET_project'],
    ...['', ' get_project', 'x.get_project', '__proto__', 'constructor', 'sign_in ', 7, null, undefined, ['get_a']],
  ])('of %j is answered here, and says no more than that', name => {
    const {take, told} = filter();
    expect(take(call(name, 'a'))).toBeUndefined();
    expect(told.map(text => JSON.parse(text))).toEqual([refusal('a')]);
  });

  test('without an ID expects no answer, and does not pass either', () => {
    const {take, told} = filter();
    expect(take({jsonrpc: '2.0', method: 'tools/call', params: {name: 'delete_project'}})).toBeUndefined();
    expect(told).toEqual([]);
  });

  test('is judged by the list of the release first, then by what the server says, then by its name', () => {
    const {take, hear} = filter({reading: ['evaluate_authz', 'get_listed']});
    expect(take(call('evaluate_authz'))).toBeDefined();
    take(list(2));
    hear(answer(tools(['get_changing', false], ['render', true], ['get_listed', false]), 2));
    expect(take(call('get_changing'))).toBeUndefined();
    expect(take(call('render'))).toBeDefined();
    expect(take(call('get_listed'))).toBeDefined();
  });

  test('in a batch is taken out of it', () => {
    const {take, told} = filter();
    expect(take([call('get_a', 1), call('delete_a', 2), call('list_a', 3)])).toBe(
      JSON.stringify([call('get_a', 1), call('list_a', 3)]),
    );
    expect(take([call('delete_a', 4)])).toBeUndefined();
    expect(told.map(text => JSON.parse(text))).toEqual([refusal(2), refusal(4)]);
    const all = [call('get_a', 1), {jsonrpc: '2.0', id: 5, method: 'ping'}];
    expect(take(all)).toBe(JSON.stringify(all));
  });
});

describe('a list', () => {
  test('has only tools that read, on each page, with everything else as it was', () => {
    const {take, hear, told} = filter();
    take(list(1));
    hear(answer(tools('get_a', 'delete_a', ['render', true], ['list_b', false]), 1, {nextCursor: 'x', _meta: {a: 1}}));
    take({...list(2), params: {cursor: 'x'}});
    hear(answer(tools('create_b', 'query_b'), 2));
    expect(told.map(names)).toEqual([['get_a', 'render'], ['query_b']]);
    expect(JSON.parse(told[0] ?? '').result).toMatchObject({nextCursor: 'x', _meta: {a: 1}});
  });

  test('keeps the digits of its numbers', () => {
    const {take, hearText, told} = filter();
    take(list());
    const schema = '{"maximum":9223372036854775807,"minimum":-9223372036854775808,"multipleOf":1.0,"x":1e400}';
    hearText(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"get_a","inputSchema":${schema}},{"name":"set_a"}]}}`);
    expect(told).toEqual([`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"get_a","inputSchema":${schema}}]}}`]);
  });

  test('in a batch of answers is narrowed as well', () => {
    const {take, hear, told} = filter();
    take([list(1), {jsonrpc: '2.0', id: 2, method: 'prompts/list'}]);
    hear([answer(tools('get_a', 'delete_a'), 1), answer(tools('delete_a'), 2)]);
    expect(JSON.parse(told[0] ?? '')).toEqual([answer(tools('get_a'), 1), answer(tools('delete_a'), 2)]);
  });

  test('that failed, or is none, passes unchanged', () => {
    for (const message of [
      {jsonrpc: '2.0', id: 1, error: {code: -1, message: 'No.'}},
      {jsonrpc: '2.0', id: 1, result: {}},
      {jsonrpc: '2.0', id: 1, result: {tools: 'none'}},
    ]) {
      const {take, hear, told} = filter();
      take(list());
      hear(message);
      expect(told).toEqual([JSON.stringify(message)]);
    }
  });

  test('whose tools are not objects has none of those', () => {
    const {take, hear, told} = filter();
    take(list());
    hear({jsonrpc: '2.0', id: 1, result: {tools: [null, 'get_a', {name: 5}, {name: 'get_b'}]}});
    expect(names(told[0])).toEqual(['get_b']);
  });

  test('is awaited by its ID alone: 1 and "1" differ, and a cancelled request is not awaited', () => {
    const {take, hear, told} = filter();
    take(list('1'));
    hear(answer(tools('delete_a'), 1));
    take({jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: '1'}});
    hear(answer(tools('delete_a'), '1'));
    expect(told.map(names)).toEqual([['delete_a'], ['delete_a']]);
  });
});

test('messages that are not about tools pass as they are, in both directions', () => {
  const {take, hearText, told} = filter();
  take(list());
  for (const text of ['{"jsonrpc": "2.0",  "method":"notifications/tools/list_changed"}', 'no JSON', '[]', '7'])
    hearText(text);
  expect(told).toEqual(['{"jsonrpc": "2.0",  "method":"notifications/tools/list_changed"}', 'no JSON', '[]', '7']);
  expect(take({jsonrpc: '2.0', id: 3, method: 'resources/read', params: {uri: 'x'}})).toContain('resources/read');
});

test('a filter that is off passes everything without reading it', () => {
  const {take, hear, told} = filter({isOn: () => false});
  expect(take(call('delete_a'))).toBeDefined();
  take(list());
  hear(answer(tools('delete_a')));
  expect(told.map(names)).toEqual([['delete_a']]);
});
