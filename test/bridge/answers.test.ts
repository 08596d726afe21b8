import {describe, expect, test} from 'vitest';
import {away, bridgeTo} from './support/bridge.ts';
import {type Answer, eventOf, mcpServer, sendEvents, sendJson, VERSION} from './support/mcp-server.ts';

const asJson =
  (text: string): Answer =>
  (_, response) =>
    void response.writeHead(200, {'Content-Type': 'application/json'}).end(text);

const asEvent =
  (text: string): Answer =>
  (_, response) =>
    void response.writeHead(200, {'Content-Type': 'text/event-stream'}).end(`data: ${text}\n\n`);

describe('an answer that is no JSON fails its request, and is not passed on', () => {
  const handshake = `"id":1,"jsonrpc":"2.0","result":{"protocolVersion":"${VERSION}"}`;
  // Too large to be parsed as a whole, with a fault that only a parser notices.
  const large = `{${handshake},"pad":"${'x'.repeat(70_000)}","n":1-2}`;
  test.each([
    ['initialize, with a comma too many', asJson(`{${handshake},}`), 'platform-invalid-answer'],
    ['initialize, the same in a stream', asEvent(`{${handshake},}`), 'platform-mcp-failed'],
    ['initialize, large', asJson(large), 'platform-invalid-answer'],
    ['initialize, large, in a stream', asEvent(large), 'platform-mcp-failed'],
  ])('%s', async (_, answer, code) => {
    const server = await mcpServer({answers: {initialize: answer}});
    const {initialize, lines} = await bridgeTo(server.origin);
    expect(await initialize()).toMatchObject(away(code));
    expect(lines).toHaveLength(1);
  });

  test.each([
    ['a word that is none', asJson('{"jsonrpc":"2.0","id":2,"result":oops}'), 'platform-invalid-answer'],
    ['a word that is none, in a stream', asEvent('{"jsonrpc":"2.0","id":2,"result":oops}'), 'platform-mcp-failed'],
  ])('%s', async (_, answer, code) => {
    const server = await mcpServer({answers: {'tools/call': answer}});
    const {initialize, request, lines} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('tools/call', {name: 'a'})).toMatchObject({error: {data: {code}}});
    expect(lines).toHaveLength(2);
  });
});

describe('each request is answered once', () => {
  test('by a stream that says it twice', async () => {
    const server = await mcpServer({
      answers: {
        'tools/call': ({id}, response) => {
          const answer = {jsonrpc: '2.0', id, result: {}};
          sendEvents(response, answer, answer, {jsonrpc: '2.0', method: 'notifications/last'});
        },
      },
    });
    const {initialize, request, until, messages} = await bridgeTo(server.origin);
    await initialize();
    await request('tools/call', {name: 'a'});
    await until(({method}) => method === 'notifications/last');
    expect(messages().map(({id}) => id)).toEqual([1, 2, undefined]);
  });

  test('by a stream that answers what nobody asked, too', async () => {
    const server = await mcpServer({
      answers: {
        'tools/call': ({id}, response) =>
          sendEvents(response, {jsonrpc: '2.0', id: 'other', result: {}}, {jsonrpc: '2.0', id, result: {}}),
      },
    });
    const {initialize, request, messages} = await bridgeTo(server.origin);
    await initialize();
    await request('tools/call', {name: 'a'});
    expect(messages().map(({id}) => id)).toEqual([1, 2]);
  });

  test('by an error that names no request, which can only be its own', async () => {
    const error = {code: -32603, message: 'It broke.'};
    const server = await mcpServer({
      answers: {'tools/call': (_, response) => sendJson(response, {jsonrpc: '2.0', id: null, error})},
    });
    const {initialize, request, messages} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('tools/call', {name: 'a'})).toEqual({jsonrpc: '2.0', id: 2, error});
    expect(messages()).toHaveLength(2);
  });

  test('and not by the stream of the server’s own messages', async () => {
    const server = await mcpServer({
      answers: {
        GET: (_, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          response.write(eventOf({jsonrpc: '2.0', id: 1, result: {}}));
          response.write(eventOf({jsonrpc: '2.0', method: 'notifications/last'}));
        },
      },
    });
    const {initialize, until, messages} = await bridgeTo(server.origin);
    await initialize();
    await until(({method}) => method === 'notifications/last');
    expect(messages().map(({id}) => id)).toEqual([1, undefined]);
  });
});
