import {PassThrough} from 'node:stream';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type ServePorts, serve} from '../../src/bridge/serve.ts';
import {inWords} from '../../src/errors/describe-error.ts';
import type {StreamReply, StreamRequest} from '../../src/ports/ports.ts';
import {contextAt} from '../support/context.ts';
import {portsIn} from '../support/place.ts';
import {assistantOn} from './support/bridge.ts';

/** The largest total size of messages that may wait for the server, in bytes. */
const MOST_WAITING = 128 * 1024 * 1024;

type Options = {
  /** The status of the server's answers. */
  readonly status?: number;
  readonly signal?: AbortSignal;
};

/** Starts a bridge to a server that answers the messages one after the other, when the test says. */
const serving = ({status = 200, signal}: Options = {}) => {
  const [stdin, stdout, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const held: (() => void)[] = [];
  const logs: string[] = [];
  const grace: {readonly ms: number; readonly signal: AbortSignal; readonly end: () => void}[] = [];
  const state = {started: 0, isOver: false};
  const open = async ({body}: StreamRequest, aborted: AbortSignal): Promise<StreamReply> => {
    await new Promise<void>((resolve, reject) => {
      held.push(resolve);
      aborted.addEventListener('abort', () => reject(aborted.reason), {once: true});
    });
    const {id} = JSON.parse(String(body));
    const answer = Buffer.from(JSON.stringify({jsonrpc: '2.0', id, result: {}}));
    const header = (name: string) => (name === 'content-type' ? 'application/json' : undefined);
    const parts = async function* () {
      yield answer;
    };
    return {status, header, headerNames: () => ['content-type'], body: parts(), endWithin: () => {}};
  };
  const ports: ServePorts = {
    ...{stdin, stdout},
    access: {
      current: () => ({url: new URL('https://api.acme.example/mcp'), open, token: 'access-0'}),
      instead: async access => access,
      noticed: () => {},
      taken: () => {},
    },
    eras: {isEmpty: () => true, get: async () => undefined, put: async () => {}},
    clock: {
      now: () => 0,
      monotonic: () => 0,
      sleep: (ms, waited) =>
        new Promise((resolve, reject) => {
          grace.push({ms, signal: waited, end: resolve});
          waited.addEventListener('abort', () => reject(waited.reason), {once: true});
        }),
    },
    log: sentence => void logs.push(sentence),
    localServer: {
      product: {name: 'platform-setup', version: '0.0.0'},
      changes: () => '',
      explain: async failure => inWords(failure),
      signIn: {
        ports: portsIn('/nowhere'),
        findContext: async own => ({context: contextAt('https://acme.example'), ports: own}),
        command: async () => 'setup login',
      },
    },
    started: () => {
      state.started += 1;
    },
  };
  const ended = serve(ports, signal ?? stop.signal).then(() => {
    state.isOver = true;
  });
  onTestFinished(() => stop.abort());
  return {...assistantOn(stdin, stdout), stdin, stdout, stop, held, logs, grace, state, ended};
};

/** Waits until everything due in the event loop is done. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

test('standard input is read on while megabytes wait for the server, and a cancelled call waits no more', async () => {
  const {request, notify, send, stdin, held, until} = serving();
  const large = (id: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'x',
    params: {pad: 'x'.repeat(MOST_WAITING / 2 - 1_000)},
  });
  send(large('first'));
  send(large('second'));
  await expect.poll(() => held.length).toBe(2);
  expect(stdin.isPaused()).toBe(false);
  // The sender of a message that would be too much gets an error, and small messages go on.
  send(large('third'));
  expect(await until(({id}) => id === 'third')).toMatchObject({
    error: {data: {code: 'platform-busy'}, message: expect.stringContaining('128 MiB of earlier messages are waiting')},
  });
  const answer = request('ping');
  await expect.poll(() => held.length).toBe(3);
  held[2]?.();
  expect(await answer).toHaveProperty('result');
  notify('notifications/cancelled', {requestId: 'first'});
  await expect.poll(() => held.length).toBe(4);
  send(large('fourth'));
  await expect.poll(() => held.length).toBe(5);
});

test('what could wait is begun once, when the first message has been dealt with', async () => {
  const {request, held, state} = serving();
  const answers = [request('ping'), request('ping')];
  await expect.poll(() => held.length).toBe(2);
  expect(state.started).toBe(0);
  held[0]?.();
  await answers[0];
  await expect.poll(() => state.started).toBe(1);
  held[1]?.();
  await answers[1];
  await settled();
  expect(state.started).toBe(1);
});

test('a failure is said on standard error only where no request is answered with it', async () => {
  const {request, notify, held, logs} = serving({status: 500});
  const answer = request('ping');
  await expect.poll(() => held.length).toBe(1);
  held[0]?.();
  expect(await answer).toMatchObject({error: {data: {code: 'platform-error'}}});
  expect(logs).toEqual([]);
  notify('notifications/roots/list_changed');
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  await expect.poll(() => logs).toEqual([expect.stringMatching(/answered 500.*\. Try again/)]);
});

describe('it ends', () => {
  test('when standard input does and nothing is under way', async () => {
    const {stdin, ended, grace} = serving();
    stdin.end();
    await ended;
    expect(grace.map(({ms, signal}) => [ms, signal.aborted])).toEqual([[3_000, true]]);
  });

  test.each<[string, (scene: ReturnType<typeof serving>) => unknown]>([
    ['is closed', ({stdin}) => stdin.destroy()],
    ['breaks', ({stdin}) => stdin.emit('error', new Error('read EIO'))],
    ['ends', ({stdin}) => stdin.end()],
  ])('when standard input %s, after the answers that are due', async (_, stop) => {
    const scene = serving();
    const answer = scene.request('ping');
    await expect.poll(() => scene.held.length).toBe(1);
    stop(scene);
    await expect.poll(() => scene.grace.length).toBe(1);
    await settled();
    expect(scene.state.isOver).toBe(false);
    scene.held[0]?.();
    expect(await answer).toHaveProperty('result');
    await scene.ended;
    expect(scene.grace[0]?.signal.aborted).toBe(true);
  });

  test('with a last line that has no end, which is a message', async () => {
    const {stdin, held, ended, until} = serving();
    stdin.end('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    await expect.poll(() => held.length).toBe(1);
    held[0]?.();
    expect(await until(({id}) => id === 'last')).toHaveProperty('result');
    await ended;
  });

  test.each<[string, (scene: ReturnType<typeof serving>) => unknown]>([
    ['the time for late answers is over', ({grace}) => grace[0]?.end()],
    ['nobody reads them', ({stdout}) => stdout.destroy()],
    ['it is told to stop', ({stop}) => stop.abort()],
  ])('without the answers that are due once %s', async (_, stop) => {
    const scene = serving();
    scene.send({jsonrpc: '2.0', id: 'never', method: 'ping'});
    await expect.poll(() => scene.held.length).toBe(1);
    scene.stdin.end();
    await expect.poll(() => scene.grace.length).toBe(1);
    stop(scene);
    await scene.ended;
    expect(scene.lines).toEqual([]);
  });

  test.each<[string, (scene: ReturnType<typeof serving>) => unknown]>([
    ['standard output is closed', ({stdout}) => stdout.destroy()],
    ['standard output breaks', ({stdout}) => stdout.emit('error', new Error('write EPIPE'))],
    ['it is told to stop', ({stop}) => stop.abort()],
  ])('at once when %s', async (_, stop) => {
    const scene = serving();
    scene.send({jsonrpc: '2.0', id: 'never', method: 'ping'});
    await expect.poll(() => scene.held.length).toBe(1);
    stop(scene);
    await scene.ended;
    expect(scene.grace).toEqual([]);
    expect(scene.lines).toEqual([]);
  });

  test('at once when it was told to stop before it began', async () => {
    const {ended, grace} = serving({signal: AbortSignal.abort()});
    await ended;
    expect(grace).toEqual([]);
  });
});
