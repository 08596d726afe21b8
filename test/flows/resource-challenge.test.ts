import {describe, expect, test} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import {challengedMetadata, knockAt} from '../../src/flows/metadata.ts';
import type {HttpReply, HttpRequest, Ports} from '../../src/ports/ports.ts';

const url = new URL('https://api.acme.example/mcp');
const look = {timeout: 3_000};

/** Runs against a server that answers in this way, and records what it was sent. */
const runAt = (answer: () => HttpReply, signal = new AbortController().signal) => {
  const sent: HttpRequest[] = [];
  const calls: unknown[] = [];
  const tell = () => {};
  const send = async (request: HttpRequest, call: unknown) => {
    sent.push(request);
    calls.push(call);
    return answer();
  };
  const network = {
    resolve: async (host: string) => ({
      addresses: [host.startsWith('inside') ? '10.0.0.4' : '203.0.113.4'],
      bySystem: [],
    }),
    proxy: async () => undefined,
  };
  const ports = {http: {send}, network} as unknown as Ports;
  return {sent, calls, run: {ports, signal, tell}};
};

const answers = (status: number, challenge?: string) => (): HttpReply => ({
  ...{status, body: '', ms: 1},
  header: name => (name === 'www-authenticate' ? challenge : undefined),
});

const naming = (address: string) => `Bearer resource_metadata="${address}"`;

test('the server is asked for as little as can be, without a token, and a redirect is its answer', async () => {
  const {sent, calls, run} = runAt(answers(401));
  await expect(knockAt(url, run, {timeout: 3_000, isQuick: true})).resolves.toMatchObject({status: 401});
  expect(sent).toEqual([
    {
      ...{method: 'POST', url, redirects: 'answer', timeout: 3_000, isQuick: true},
      headers: {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream'},
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    },
  ]);
  expect(calls).toEqual([{signal: run.signal, report: run.tell}]);
});

test.each([
  ['on the server', 'https://api.acme.example/.well-known/oauth-protected-resource/elsewhere'],
  ['on another host', 'https://metadata.acme.example/mcp'],
])('metadata %s are where the challenge says', async (_where, address) => {
  const {run} = runAt(answers(401, naming(address)));
  await expect(challengedMetadata(url, run, look)).resolves.toEqual(new URL(address));
});

describe('nothing is learned from', () => {
  test.each([
    ['a server that takes anybody', 200, naming('https://metadata.acme.example/mcp')],
    ['a refusal of another kind', 403, naming('https://metadata.acme.example/mcp')],
    ['a 401 without a challenge', 401, undefined],
    ['a challenge that names no metadata', 401, 'Bearer error="invalid_token"'],
    ['a challenge that names no address', 401, naming('the usual place')],
    ['a challenge that leads into a private network', 401, naming('https://inside.acme.example/mcp')],
    ['a challenge that leads to this machine', 401, naming('http://127.0.0.1:9/mcp')],
  ])('%s', async (_what, status, challenge) => {
    const {run} = runAt(answers(status, challenge));
    await expect(challengedMetadata(url, run, look)).resolves.toBeUndefined();
  });

  test('a server that does not answer', async () => {
    const {run} = runAt(() => {
      throw new SetupError('network-refused', 'Nothing listens.');
    });
    await expect(challengedMetadata(url, run, look)).resolves.toBeUndefined();
  });
});

test('what stops the run stops this too, and a bug stays one', async () => {
  const stopped = new AbortController();
  const {run} = runAt(() => {
    stopped.abort(new Error('stopped'));
    throw new SetupError('network-lost', 'It broke off.');
  }, stopped.signal);
  await expect(challengedMetadata(url, run, look)).rejects.toThrow('stopped');

  const broken = runAt(() => {
    throw new TypeError('a bug');
  });
  await expect(challengedMetadata(url, broken.run, look)).rejects.toThrow('a bug');
});
