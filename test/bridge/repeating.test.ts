import {describe, expect, test} from 'vitest';
import type {Streams} from '../../src/ports/ports.ts';
import {closedOrigin} from '../support/server.ts';
import {bridgeTo} from './support/bridge.ts';
import {type Answer, mcpServer, sendJson} from './support/mcp-server.ts';

test('a server that restarts within two seconds is not noticed, whatever is called', async () => {
  const first = await mcpServer({
    answers: {'tools/call': ({id}, response) => sendJson(response, {jsonrpc: '2.0', id, result: {}})},
  });
  const nobody = new URL(await closedOrigin());
  let refusals = 0;
  const between = (network: Streams): Streams => ({
    ...network,
    open: async (request, signal) => {
      const isAway = request.body?.includes('"tools/call"') && refusals < 3;
      if (isAway) refusals += 1;
      return network.open(isAway ? {...request, url: nobody} : request, signal);
    },
  });
  const {initialize, request} = await bridgeTo(first.origin, {between});
  await initialize();
  expect(await request('tools/call', {name: 'a'})).toHaveProperty('result');
  expect(refusals).toBe(3);
  expect(first.methods().filter(method => method === 'tools/call')).toHaveLength(1);
});

describe('a server that asks to be left alone', () => {
  const busy = (times: number, status: number, wait: string): Answer => {
    let asked = 0;
    return ({id}, response) => {
      asked += 1;
      if (asked > times) return sendJson(response, {jsonrpc: '2.0', id, result: {asked}});
      response.writeHead(status, {'Retry-After': wait}).end();
    };
  };

  test.each([429, 503])('is left alone, and asked again for what changes nothing (%d)', async status => {
    const server = await mcpServer({answers: {'tools/list': busy(2, status, '0')}});
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('tools/list')).toMatchObject({result: {asked: 3}});
  });

  test.each([
    ['for a call of a tool', 'tools/call', '0'],
    ['for longer than anybody waits', 'tools/list', '11'],
  ])('is not asked again %s', async (_, method, wait) => {
    const server = await mcpServer({answers: {[method]: busy(9, 503, wait)}});
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    const {error} = await request(method, {name: 'a'});
    expect(error).toMatchObject({
      data: {code: 'platform-busy'},
      message: expect.stringContaining('as the server asks'),
    });
    expect(server.methods().filter(one => one === method)).toHaveLength(1);
  });
});
