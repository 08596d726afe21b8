import {describe, expect, onTestFinished, test} from 'vitest';
import {createStandIn} from '../../../src/bridge/stand-in/stand-in.ts';
import {type ErrorCode, type SetupError, wordedError} from '../../../src/errors/errors.ts';
import {type Message, parseMessage} from '../../../src/mcp/message.ts';
import type {Session} from '../../../src/mcp/session.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {contextAt} from '../../support/context.ts';

type Json = Readonly<Record<string, unknown>>;

const messageOf = (message: object) =>
  parseMessage(Buffer.from(JSON.stringify({jsonrpc: '2.0', ...message}))) as Message;
const question = (method: string, id = 1) => ({id: String(id), method});
const signInCall = (id: number) => messageOf({id, method: 'tools/call', params: {name: 'sign_in'}});
const failureOf = (code: ErrorCode) => wordedError(code, 'It failed.', {remedy: 'Do this.'});
const changed = (list: string) => `notifications/${list}/list_changed`;

const sessionOf = (more: {isAway?: boolean; capabilities?: object} = {}) => {
  const seen = {putOff: 0};
  const session = {
    isAway: false,
    capabilities: {},
    ...more,
    putOff: () => {
      seen.putOff += 1;
    },
  };
  return {seen, session: session as unknown as Session};
};

/**
 * A stand-in whose platform, clock and sign-in the test controls: `reach` fails with `failures[0]` until that is
 * removed, and a sleep lasts until the test ends it or its signal aborts.
 */
const standInFor = ({hasBegun = true}: {hasBegun?: boolean} = {}) => {
  const failures: SetupError[] = [];
  const written: Json[] = [];
  const sleeps: {ms: number; signal: AbortSignal; end: () => void}[] = [];
  const seen = {tries: 0, changes: 'as it was', begun: 0, cancelled: 0};
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const ended = Promise.withResolvers<{account: string}>();
  const attempt = {
    nextAddress: async () => 'https://idp.test/authorize',
    address: 'https://idp.test/authorize',
    outcome: undefined,
    ended: ended.promise,
    endAs: () => {},
    cancel: () => {
      seen.cancelled += 1;
    },
  };
  const context = contextAt('https://idp.test');
  const signIn = {
    ports: {credentials: {get: async () => ({account: 'jo'})}} as unknown as Ports,
    findContext: async (own: Ports) => ({context, ports: own}),
    command: async () => 'npx setup login',
    begin: () => {
      seen.begun += 1;
      return attempt;
    },
  };
  let held: Promise<void> | undefined;
  const standIn = createStandIn(
    {
      product: {name: 'platform-setup', version: '1'},
      changes: () => seen.changes,
      explain: async ({code, message}) => wordedError(code, message, {remedy: 'As explained.'}),
      signIn,
    },
    {
      output: {
        write: async (line: Buffer) => {
          written.push(JSON.parse(line.toString('utf8')));
        },
      } as never,
      clock: {
        now: () => 0,
        monotonic: () => 0,
        sleep: (ms, signal) =>
          new Promise((resolve, reject) => {
            sleeps.push({ms, signal, end: resolve});
            signal.addEventListener('abort', () => reject(signal.reason), {once: true});
          }),
      },
      reach: async () => {
        seen.tries += 1;
        await held;
        const [failure] = failures;
        if (failure) throw failure;
      },
      initialize: () => (hasBegun ? Buffer.from('{"method":"initialize","params":{}}') : undefined),
      hearsNews: () => hasBegun,
      tellSubscriber: () => undefined,
      hand: () => {},
      seal: 'the seal',
    },
    controller.signal,
  );
  /** Makes the platform's tools unavailable, and the stand-in tell the assistant. */
  const offered = async (code: ErrorCode = 'auth-sign-in-required', isAway = false) => {
    failures.splice(0, failures.length, failureOf(code));
    const message = messageOf({id: 1, method: 'tools/list'});
    return standIn.answer(question('tools/list'), message, failureOf(code), sessionOf({isAway}).session);
  };
  return {
    standIn,
    failures,
    written,
    sleeps,
    seen,
    controller,
    ended,
    offered,
    hold: (promise: Promise<void>) => {
      held = promise;
    },
    told: () => written.map(({method}) => method).filter(Boolean),
  };
};

/** Lets everything finish that waits only for its turn, including modules that are loading. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

const textIn = (one: Json | undefined) => (one?.result as {content: {text: string}[]} | undefined)?.content[0]?.text;

test('how long a server is waited for stays below what clients allow their own programs', () => {
  const {standIn} = standInFor();
  expect(standIn.patience).toEqual({handshake: 6_000, request: 2_000});
});

describe('which messages it takes', () => {
  test('no call of sign_in before the tool has been offered, and each one after', async () => {
    const {standIn, offered, written} = standInFor();
    expect(standIn.takes(signInCall(5))).toBe(false);
    await offered();
    expect(standIn.takes(signInCall(6))).toBe(true);
    await expect.poll(() => written.find(({id}) => id === 6)).toMatchObject({result: {isError: false}});
    expect(written.filter(({id}) => id === 6)).toHaveLength(1);
    expect(textIn(written.find(({id}) => id === 6))).toContain('https://idp.test/authorize');
  });

  test.each([
    ['a call of another tool', {id: 5, method: 'tools/call', params: {name: 'deploy'}}],
    ['a call of no tool', {id: 5, method: 'tools/call'}],
    ['a request that names the tool and calls none', {id: 5, method: 'tools/list', params: {name: 'sign_in'}}],
    ['a notification that looks like a call', {method: 'tools/call', params: {name: 'sign_in'}}],
    ['an answer, where it has asked nothing', {id: 5, result: {}}],
    [
      'the cancellation of a request that it does not have',
      {method: 'notifications/cancelled', params: {requestId: 5}},
    ],
    ['a cancellation of nothing', {method: 'notifications/cancelled'}],
  ])('not %s', async (_, message) => {
    const {standIn, offered, seen} = standInFor();
    await offered();
    expect(standIn.takes(messageOf(message))).toBe(false);
    expect(seen.begun).toBe(0);
  });

  test('an answer goes to the tool, which says whether it asked for it', async () => {
    const {standIn, offered, written} = standInFor();
    await offered();
    standIn.takes(signInCall(6));
    await expect.poll(() => written.some(({id}) => id === 6)).toBe(true);
    expect(standIn.takes(messageOf({id: 'of the server', result: {}}))).toBe(false);
  });

  test('a batch goes on to the server', async () => {
    const {standIn, offered} = standInFor();
    await offered();
    const batch = [{jsonrpc: '2.0', id: 9, method: 'tools/call', params: {name: 'sign_in'}}];
    expect(standIn.takes(parseMessage(Buffer.from(JSON.stringify(batch))) as Message)).toBe(false);
  });

  test('the cancellation of a call that it runs, which is not answered then', async () => {
    const {standIn, offered, written, hold} = standInFor();
    await offered();
    const gate = Promise.withResolvers<void>();
    hold(gate.promise);
    standIn.takes(signInCall(7));
    const cancel = messageOf({method: 'notifications/cancelled', params: {requestId: 7}});
    expect(standIn.takes(cancel)).toBe(true);
    gate.resolve();
    standIn.takes(signInCall(8));
    await expect.poll(() => written.some(({id}) => id === 8)).toBe(true);
    expect(written.some(({id}) => id === 7)).toBe(false);
  });

  test('the cancellation of a call that has been answered is no longer its', async () => {
    const {standIn, offered, written} = standInFor();
    await offered();
    standIn.takes(signInCall(7));
    await expect.poll(() => written.some(({id}) => id === 7)).toBe(true);
    expect(standIn.takes(messageOf({method: 'notifications/cancelled', params: {requestId: 7}}))).toBe(false);
  });
});

describe('what it answers', () => {
  test('server/discover: the era that every server knows is used', async () => {
    const {standIn} = standInFor();
    const {session, seen} = sessionOf();
    const answer = await standIn.answer(
      question('server/discover'),
      messageOf({id: 1, method: 'server/discover'}),
      failureOf('network-refused'),
      session,
    );
    expect(JSON.parse(String(answer))).toMatchObject({id: 1, error: {code: -32601}});
    expect(seen.putOff).toBe(0);
  });

  test('the handshake, whatever failed, and the server is to be told of it later', async () => {
    const {standIn, told, seen} = standInFor();
    const own = sessionOf();
    const message = messageOf({id: 1, method: 'initialize', params: {protocolVersion: '2025-06-18'}});
    const answer = JSON.parse(
      String(await standIn.answer(question('initialize'), message, failureOf('network-refused'), own.session)),
    );
    expect(answer.result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: {name: 'platform-setup', version: '1'},
      _meta: {'platform-setup/failure': {seal: 'the seal'}},
    });
    expect(own.seen.putOff).toBe(1);
    expect(told()).toEqual([]);
    expect(seen.tries).toBe(0);
  });

  test('everything of a session that no server has heard of', async () => {
    const {standIn, told} = standInFor();
    const answerTo = async (method: string) => {
      const failure = failureOf('network-refused');
      const {session} = sessionOf({isAway: true});
      const answer = await standIn.answer(question(method), messageOf({id: 1, method}), failure, session);
      return JSON.parse(String(answer));
    };
    expect(await answerTo('ping')).toMatchObject({result: {}});
    expect(await answerTo('tools/list')).toMatchObject({result: {tools: [{name: 'sign_in'}]}});
    expect(await answerTo('prompts/get')).toMatchObject({error: {code: -32601}});
    // The watch began with the session, and the client has the list already.
    expect(told()).toEqual([]);
  });

  test('nothing, where the session goes on and signing in would not help', async () => {
    const {offered, told, standIn} = standInFor();
    expect(await offered('platform-unhealthy')).toBeUndefined();
    expect(standIn.takes(signInCall(5))).toBe(false);
    expect(told()).toEqual([]);
  });

  test('the list of tools, where the session goes on and the sign-in has ended', async () => {
    const {offered, told} = standInFor();
    const answer = JSON.parse(String(await offered()));
    expect(answer).toMatchObject({id: 1, result: {tools: [{name: 'sign_in'}]}});
    expect(told()).toEqual([]);
  });

  test('any other request by its failure, and the client is told once that there is another list', async () => {
    const {standIn, told, sleeps} = standInFor();
    const {session} = sessionOf();
    for (let count = 0; count < 3; count += 1) {
      const message = messageOf({id: 1, method: 'tools/call', params: {name: 'deploy'}});
      const failure = failureOf('auth-sign-in-required');
      expect(await standIn.answer(question('tools/call'), message, failure, session)).toBeUndefined();
    }
    expect(told()).toEqual([changed('tools')]);
    await expect.poll(() => sleeps.length).toBe(1);
  });

  test('and not where the client has begun no session', async () => {
    const {standIn, told} = standInFor({hasBegun: false});
    const message = messageOf({id: 1, method: 'tools/call', params: {name: 'deploy'}});
    await standIn.answer(question('tools/call'), message, failureOf('auth-sign-in-required'), sessionOf().session);
    expect(told()).toEqual([]);
  });
});

describe('how it finds the platform again', () => {
  test('in a session that was begun here it tries at once', async () => {
    const {standIn, failures, seen, sleeps} = standInFor();
    failures.push(failureOf('auth-sign-in-required'));
    standIn.begun();
    await expect.poll(() => sleeps.length).toBe(1);
    expect(seen.tries).toBe(1);
    standIn.begun();
    await settled();
    expect(seen.tries).toBe(1);
  });

  test('in the middle of a session it waits for a change, and says that the tools are there', async () => {
    const {failures, seen, sleeps, offered, told} = standInFor();
    await offered();
    await expect.poll(() => sleeps.length).toBe(1);
    expect(seen.tries).toBe(0);
    failures.length = 0;
    seen.changes = 'signed in';
    sleeps[0]?.end();
    await expect.poll(() => told()).toEqual([changed('tools')]);
    expect(seen.tries).toBe(1);
    // The watch has ended, and the next failure begins a new one.
    expect(sleeps).toHaveLength(1);
    await offered();
    await expect.poll(() => sleeps.length).toBe(2);
  });

  test('a message that the server takes ends the watch', async () => {
    const {standIn, sleeps, offered, told} = standInFor();
    await offered();
    await expect.poll(() => sleeps.length).toBe(1);
    standIn.taken(messageOf({id: 2, method: 'echo'}));
    expect(sleeps[0]?.signal.aborted).toBe(true);
    expect(told()).toEqual([changed('tools')]);
    standIn.taken(messageOf({id: 3, method: 'echo'}));
    expect(told()).toEqual([changed('tools')]);
  });

  test('a handshake that the server takes brings its own list', async () => {
    const {standIn, sleeps, offered, told} = standInFor();
    await offered();
    await expect.poll(() => sleeps.length).toBe(1);
    standIn.taken(messageOf({id: 2, method: 'initialize'}));
    expect(sleeps[0]?.signal.aborted).toBe(true);
    expect(told()).toEqual([]);
  });

  test('a server that makes the handshake later is there with all that it has', async () => {
    const {standIn, offered, told} = standInFor();
    await offered('network-refused', true);
    standIn.arrived();
    await expect.poll(() => told()).toEqual([changed('tools'), changed('prompts'), changed('resources')]);
  });

  test('a client that has begun no session is told nothing', async () => {
    const {standIn, offered, told} = standInFor({hasBegun: false});
    await offered('network-refused', true);
    standIn.arrived();
    await settled();
    expect(told()).toEqual([]);
  });

  test('it stops with the program', async () => {
    const {sleeps, offered, controller, seen} = standInFor();
    await offered();
    await expect.poll(() => sleeps.length).toBe(1);
    controller.abort();
    expect(sleeps[0]?.signal.aborted).toBe(true);
    await settled();
    expect(seen.tries).toBe(0);
  });
});

describe('a call of sign_in', () => {
  test('that finds the platform says so once the client has its list, and the sign-in is over', async () => {
    const {standIn, offered, failures, written, told, sleeps, seen} = standInFor();
    await offered();
    await expect.poll(() => sleeps.length).toBe(1);
    failures.length = 0;
    standIn.takes(signInCall(6));
    await expect.poll(() => told()).toEqual([changed('tools')]);
    await expect.poll(() => sleeps.map(({ms}) => ms)).toContain(1_000);
    expect(written.some(({id}) => id === 6)).toBe(false);
    standIn.listed();
    await expect.poll(() => textIn(written.find(({id}) => id === 6))).toMatch(/^Signed in to acme as jo\./);
    const listing = sleeps.find(({ms}) => ms === 1_000);
    expect(listing?.signal.aborted).toBe(true);
    expect(seen.begun).toBe(0);
  });

  test('does not wait longer than a second for a client that asks for no list', async () => {
    const {standIn, offered, failures, written, sleeps} = standInFor();
    await offered();
    failures.length = 0;
    standIn.takes(signInCall(6));
    await expect.poll(() => sleeps.map(({ms}) => ms)).toContain(1_000);
    expect(written.some(({id}) => id === 6)).toBe(false);
    sleeps.find(({ms}) => ms === 1_000)?.end();
    await expect.poll(() => written.some(({id}) => id === 6)).toBe(true);
  });

  test('a list that was given before counts for nothing', async () => {
    const {standIn, offered, failures, written, sleeps} = standInFor();
    standIn.listed();
    await offered();
    failures.length = 0;
    standIn.takes(signInCall(6));
    await expect.poll(() => sleeps.map(({ms}) => ms)).toContain(1_000);
    await settled();
    expect(written.some(({id}) => id === 6)).toBe(false);
  });

  test('says what the last try found, explained, where signing in would not help', async () => {
    const {standIn, offered, failures, written, told} = standInFor();
    await offered();
    failures.splice(0, 1, failureOf('platform-unhealthy'));
    standIn.takes(signInCall(6));
    await expect.poll(() => textIn(written.find(({id}) => id === 6))).toBe('It failed. As explained.');
    expect(written.find(({id}) => id === 6)).toMatchObject({result: {isError: true}});
    expect(told()).toEqual([]);
  });

  test('a token that the server refuses leads to a sign-in without another try', async () => {
    const {standIn, offered, seen, written} = standInFor();
    await offered('auth-token-refused');
    standIn.takes(signInCall(6));
    await expect.poll(() => textIn(written.find(({id}) => id === 6))).toContain('https://idp.test/authorize');
    expect(seen).toMatchObject({tries: 0, begun: 1});
  });

  test('two calls are of one sign-in', async () => {
    const {standIn, offered, seen, written} = standInFor();
    await offered();
    standIn.takes(signInCall(6));
    await expect.poll(() => written.some(({id}) => id === 6)).toBe(true);
    standIn.takes(signInCall(7));
    await expect.poll(() => textIn(written.find(({id}) => id === 7))).toContain('still waiting');
    expect(seen.begun).toBe(1);
  });
});
