import {once} from 'node:events';
import {expect, test} from 'vitest';
import {bridgeTo} from './support/bridge.ts';
import {mcpServer, sendEvents} from './support/mcp-server.ts';

/** Starts a server whose tools answer when the test says. */
const slowServer = async () => {
  const answers: (() => void)[] = [];
  const closed: string[] = [];
  const server = await mcpServer({
    answers: {
      'tools/call': ({id}, response) => {
        answers.push(() => sendEvents(response, {jsonrpc: '2.0', id, result: {}}));
        response.once('close', () => closed.push(String(id)));
      },
    },
  });
  return {server, answers, closed};
};

test('the end of standard input ends it, after the answers that are due, with the session', async () => {
  const {server, answers} = await slowServer();
  const {initialize, request, stdin, ended, isOver} = await bridgeTo(server.origin);
  await initialize();
  const answer = request('tools/call', {name: 'a'});
  await expect.poll(() => answers.length).toBe(1);
  stdin.end();
  expect(isOver()).toBe(false);
  for (const give of answers) give();
  expect(await answer).toHaveProperty('result');
  await ended;
  expect(server.methods().at(-1)).toBe('DELETE');
  expect(server.sessions.size).toBe(0);
});

test('a last line without an end is a message', async () => {
  const server = await mcpServer();
  const {initialize, stdin, until, ended} = await bridgeTo(server.origin);
  await initialize();
  stdin.end('{"jsonrpc":"2.0","id":"last","method":"echo","params":{"a":1}}');
  expect(await until(({id}) => id === 'last')).toMatchObject({result: {a: 1}});
  await ended;
});

test('an answer that does not come is not waited for', async () => {
  const {server, answers, closed} = await slowServer();
  const {initialize, send, stdin, ended} = await bridgeTo(server.origin);
  await initialize();
  send({jsonrpc: '2.0', id: 'never', method: 'tools/call', params: {name: 'a'}});
  await expect.poll(() => answers.length).toBe(1);
  stdin.end();
  await ended;
  await expect.poll(() => closed).toEqual(['never']);
  expect(server.methods()).toContain('DELETE');
});

test('a wish to stop ends it at once, with the session', async () => {
  const {server, answers, closed} = await slowServer();
  const {initialize, send, close} = await bridgeTo(server.origin);
  await initialize();
  send({jsonrpc: '2.0', id: 'never', method: 'tools/call', params: {name: 'a'}});
  await expect.poll(() => answers.length).toBe(1);
  await close();
  await expect.poll(() => closed).toEqual(['never']);
  expect(server.sessions.size).toBe(0);
});

test('standard output that breaks ends it, with the session', async () => {
  const server = await mcpServer();
  const {initialize, stdout, ended} = await bridgeTo(server.origin);
  await initialize();
  stdout.destroy(Object.assign(new Error('write EPIPE'), {code: 'EPIPE'}));
  await ended;
  expect(server.sessions.size).toBe(0);
});

test('a session that the server does not end is not waited for', async () => {
  const server = await mcpServer({answers: {DELETE: () => {}}});
  const {initialize, stdin, ended} = await bridgeTo(server.origin);
  await initialize();
  stdin.end();
  await ended;
  expect(server.methods()).toContain('DELETE');
});

test('an assistant that reads slowly slows the server down, and loses nothing', async () => {
  const size = 4 * 1024 * 1024;
  const count = 20;
  let written = 0;
  const server = await mcpServer({
    answers: {
      'tools/call': async ({id}, response) => {
        response.writeHead(200, {'Content-Type': 'text/event-stream'});
        for (let part = 0; part < count; part += 1) {
          const message = {jsonrpc: '2.0', method: 'notifications/progress', params: {message: 'x'.repeat(size)}};
          if (!response.write(`data: ${JSON.stringify(message)}\n\n`)) await once(response, 'drain');
          written += 1;
        }
        response.end(`data: ${JSON.stringify({jsonrpc: '2.0', id, result: {}})}\n\n`);
      },
    },
  });
  const {initialize, request, stdout} = await bridgeTo(server.origin);
  await initialize();
  stdout.pause();
  const answer = request('tools/call', {name: 'a'});
  // The buffers on the way fill up, and then nothing more is written.
  let before = 0;
  const standsStill = () => {
    const isStill = written > 0 && written === before;
    before = written;
    return isStill;
  };
  await expect.poll(standsStill, {interval: 300, timeout: 15_000}).toBe(true);
  expect(written).toBeLessThan(count);
  stdout.resume();
  expect(await answer).toHaveProperty('result');
});
