import {describe, expect, onTestFinished, test} from 'vitest';
import {createLocalServer} from '../../../src/bridge/local-server/local-server.ts';
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
 * a local server whose platform, clock and sign-in the test controls: `reach` fails with `failures[0]` until that is
 * removed, and a sleep lasts until the test ends it or its signal aborts.
 */
const localServerFor = ({hasBegun = true}: {hasBegun?: boolean} = {}) => {
  const failures: SetupError[] = [];
  const written: Json[] = [];
  const sleeps: {ms: number; signal: AbortSignal; end: () => void}[] = [];
  const seen = {tries: 0, changes: 'as it was', begun: 0, cancelled: 0};
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const ended = Promise.withResolvers<{account: string}>();
  const attempt = {
    nextAddress: async () => 'https://idp.test/authorize',
    settled: async () => {},
    address: 'https://idp.test/authorize',
    second: undefined,
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
  const localServer = createLocalServer(
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
  /** Makes the platform's tools unavailable, and the local server tell the assistant. */
  const offered = async (code: ErrorCode = 'auth-sign-in-required', isAway = false) => {
    failures.splice(0, failures.length, failureOf(code));
    const message = messageOf({id: 1, method: 'tools/list'});
    return localServer.answer(question('tools/list'), message, failureOf(code), sessionOf({isAway}).session);
  };
  return {
    localServer,
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
  const {localServer} = localServerFor();
  expect(localServer.timeouts).toEqual({handshake: 6_000, request: 2_000});
});

describe('which messages it takes', () => {
  test('no call of sign_in before the tool has been offered, and each one after', async () => {
    const {localServer, offered, written} = localServerFor();
    expect(localServer.takes(signInCall(5))).toBe(false);
    await offered();
    expect(localServer.takes(signInCall(6))).toBe(true);
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
    const {localServer, offered, seen} = localServerFor();
    await offered();
    expect(localServer.takes(messageOf(message))).toBe(false);
    expect(seen.begun).toBe(0);
  });

  test('an answer goes to the tool, which says whether it asked for it', async () => {
    const {localServer, offered, written} = localServerFor();
    await offered();
    localServer.takes(signInCall(6));
    await expect.poll(() => written.some(({id}) => id === 6)).toBe(true);
    expect(localServer.takes(messageOf({id: 'of the server', result: {}}))).toBe(false);
  });

  test('a batch goes on to the server', async () => {
    const {localServer, offered} = localServerFor();
    await offered();
    const batch = [{jsonrpc: '2.0', id: 9, method: 'tools/call', params: {name: 'sign_in'}}];
    expect(localServer.takes(parseMessage(Buffer.from(JSON.stringify(batch))) as Message)).toBe(false);
  });

  test('the cancellation of a call that it runs, which is not answered then', async () => {
    const {localServer, offered, written, hold} = localServerFor();
    await offered();
    const gate = Promise.withResolvers<void>();
    hold(gate.promise);
    localServer.takes(signInCall(7));
    const cancel = messageOf({method: 'notifications/cancelled', params: {requestId: 7}});
    expect(localServer.takes(cancel)).toBe(true);
    gate.resolve();
    localServer.takes(signInCall(8));
    await expect.poll(() => written.some(({id}) => id === 8)).toBe(true);
    expect(written.some(({id}) => id === 7)).toBe(false);
  });

  test('the cancellation of a call that has been answered is no longer its', async () => {
    const {localServer, offered, written} = localServerFor();
    await offered();
    localServer.takes(signInCall(7));
    await expect.poll(() => written.some(({id}) => id === 7)).toBe(true);
    expect(localServer.takes(messageOf({method: 'notifications/cancelled', params: {requestId: 7}}))).toBe(false);
  });
});

describe('what it answers', () => {
  test('server/discover: the era that every server knows is used', async () => {
    const {localServer} = localServerFor();
    const {session, seen} = sessionOf();
    const answer = await localServer.answer(
      question('server/discover'),
      messageOf({id: 1, method: 'server/discover'}),
      failureOf('network-refused'),
      session,
    );
    expect(JSON.parse(String(answer))).toMatchObject({id: 1, error: {code: -32601}});
    expect(seen.putOff).toBe(0);
  });

  test('the handshake, whatever failed, and the server is to be told of it later', async () => {
    const {localServer, told, seen} = localServerFor();
    const own = sessionOf();
    const message = messageOf({id: 1, method: 'initialize', params: {protocolVersion: '2025-06-18'}});
    const answer = JSON.parse(
      String(await localServer.answer(question('initialize'), message, failureOf('network-refused'), own.session)),
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
    const {localServer, told} = localServerFor();
    const answerTo = async (method: string) => {
      const failure = failureOf('network-refused');
      const {session} = sessionOf({isAway: true});
      const answer = await localServer.answer(question(method), messageOf({id: 1, method}), failure, session);
      return JSON.parse(String(answer));
    };
    expect(await answerTo('ping')).toMatchObject({result: {}});
    expect(await answerTo('tools/list')).toMatchObject({result: {tools: [{name: 'sign_in'}]}});
    expect(await answerTo('prompts/get')).toMatchObject({error: {code: -32601}});
    // The watch began with the session, and the client has the list already.
    expect(told()).toEqual([]);
  });

  test('nothing, where the session goes on and signing in would not help', async () => {
    const {offered, told, localServer} = localServerFor();
    expect(await offered('platform-unhealthy')).toBeUndefined();
    expect(localServer.takes(signInCall(5))).toBe(false);
    expect(told()).toEqual([]);
  });

  test('the list of tools, where the session goes on and the sign-in has ended', async () => {
    const {offered, told} = localServerFor();
    const answer = JSON.parse(String(await offered()));
    expect(answer).toMatchObject({id: 1, result: {tools: [{name: 'sign_in'}]}});
    expect(told()).toEqual([]);
  });

  test('any other request by its failure, and the client is told once that there is another list', async () => {
    const {localServer, told, sleeps} = localServerFor();
    const {session} = sessionOf();
    for (let count = 0; count < 3; count += 1) {
      const message = messageOf({id: 1, method: 'tools/call', params: {name: 'deploy'}});
      const failure = failureOf('auth-sign-in-required');
      expect(await localServer.answer(question('tools/call'), message, failure, session)).toBeUndefined();
    }
    expect(told()).toEqual([changed('tools')]);
    await expect.poll(() => sleeps.length).toBe(1);
  });

  test('and not where the client has begun no session', async () => {
    const {localServer, told} = localServerFor({hasBegun: false});
    const message = messageOf({id: 1, method: 'tools/call', params: {name: 'deploy'}});
    await localServer.answer(question('tools/call'), message, failureOf('auth-sign-in-required'), sessionOf().session);
    expect(told()).toEqual([]);
  });
});

describe('how it finds the platform again', () => {
  test('in a session that was begun here it tries at once', async () => {
    const {localServer, failures, seen, sleeps} = localServerFor();
    failures.push(failureOf('auth-sign-in-required'));
    localServer.begun();
    await expect.poll(() => sleeps.length).toBe(1);
    expect(seen.tries).toBe(1);
    localServer.begun();
    await settled();
    expect(seen.tries).toBe(1);
  });

  test('in the middle of a session it waits for a change, and says that the tools are there', async () => {
    const {failures, seen, sleeps, offered, told} = localServerFor();
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
    const {localServer, sleeps, offered, told} = localServerFor();
    await offered();
    await expect.poll(() => sleeps.length).toBe(1);
    localServer.taken(messageOf({id: 2, method: 'echo'}));
    expect(sleeps[0]?.signal.aborted).toBe(true);
    expect(told()).toEqual([changed('tools')]);
    localServer.taken(messageOf({id: 3, method: 'echo'}));
    expect(told()).toEqual([changed('tools')]);
  });

  test('a handshake that the server takes brings its own list', async () => {
    const {localServer, sleeps, offered, told} = localServerFor();
    await offered();
    await expect.poll(() => sleeps.length).toBe(1);
    localServer.taken(messageOf({id: 2, method: 'initialize'}));
    expect(sleeps[0]?.signal.aborted).toBe(true);
    expect(told()).toEqual([]);
  });

  test('a server that makes the handshake later is there with all that it has', async () => {
    const {localServer, offered, told} = localServerFor();
    await offered('network-refused', true);
    localServer.arrived();
    await expect.poll(() => told()).toEqual([changed('tools'), changed('prompts'), changed('resources')]);
  });

  test('a client that has begun no session is told nothing', async () => {
    const {localServer, offered, told} = localServerFor({hasBegun: false});
    await offered('network-refused', true);
    localServer.arrived();
    await settled();
    expect(told()).toEqual([]);
  });

  test('it stops with the program', async () => {
    const {sleeps, offered, controller, seen} = localServerFor();
    await offered();
    await expect.poll(() => sleeps.length).toBe(1);
    controller.abort();
    expect(sleeps[0]?.signal.aborted).toBe(true);
    await settled();
    expect(seen.tries).toBe(0);
  });
});

const listOf = (...names: readonly string[]) =>
  Buffer.from(JSON.stringify({jsonrpc: '2.0', id: 1, result: {tools: names.map(name => ({name}))}}));

describe('a call of sign_in', () => {
  test('that finds the platform says so once the client has its list, and the sign-in is over', async () => {
    const {localServer, offered, failures, written, told, sleeps, seen} = localServerFor();
    await offered();
    await expect.poll(() => sleeps.length).toBe(1);
    failures.length = 0;
    localServer.takes(signInCall(6));
    await expect.poll(() => told()).toEqual([changed('tools')]);
    await expect.poll(() => sleeps.map(({ms}) => ms)).toContain(1_000);
    expect(written.some(({id}) => id === 6)).toBe(false);
    localServer.listed(listOf('list_namespaces'));
    await expect.poll(() => textIn(written.find(({id}) => id === 6))).toMatch(/^Signed in to acme as jo\./);
    const listing = sleeps.find(({ms}) => ms === 1_000);
    expect(listing?.signal.aborted).toBe(true);
    expect(seen.begun).toBe(0);
  });

  test('that comes before the client has a list signs in, instead of advising itself', async () => {
    const {localServer, failures, sleeps} = localServerFor();
    failures.length = 0;
    const {session} = sessionOf({isAway: true});
    const failure = failureOf('auth-sign-in-required');
    const answered = localServer.answer(question('tools/call'), signInCall(1), failure, session);
    await expect.poll(() => sleeps.map(({ms}) => ms)).toContain(1_000);
    localServer.listed(listOf('list_namespaces'));
    expect(textIn(JSON.parse(String(await answered)))).toMatch(/^Signed in to acme as jo\./);
  });

  test('does not promise tools to an account to which the platform offers none', async () => {
    const {localServer, offered, failures, written, sleeps} = localServerFor();
    await offered();
    failures.length = 0;
    localServer.takes(signInCall(6));
    await expect.poll(() => sleeps.map(({ms}) => ms)).toContain(1_000);
    localServer.listed(listOf());
    const said = () => textIn(written.find(({id}) => id === 6));
    await expect
      .poll(said)
      .toMatch(
        /^Signed in to acme as jo\. The platform offers this account no tools: it may have no role\. As explained\.$/,
      );
  });

  test('does not wait longer than a second for a client that asks for no list', async () => {
    const {localServer, offered, failures, written, sleeps} = localServerFor();
    await offered();
    failures.length = 0;
    localServer.takes(signInCall(6));
    await expect.poll(() => sleeps.map(({ms}) => ms)).toContain(1_000);
    expect(written.some(({id}) => id === 6)).toBe(false);
    sleeps.find(({ms}) => ms === 1_000)?.end();
    await expect.poll(() => written.some(({id}) => id === 6)).toBe(true);
  });

  test('a list that was given before counts for nothing', async () => {
    const {localServer, offered, failures, written, sleeps} = localServerFor();
    localServer.listed(listOf('list_namespaces'));
    await offered();
    failures.length = 0;
    localServer.takes(signInCall(6));
    await expect.poll(() => sleeps.map(({ms}) => ms)).toContain(1_000);
    await settled();
    expect(written.some(({id}) => id === 6)).toBe(false);
  });

  test('says what the last try found, explained, where signing in would not help', async () => {
    const {localServer, offered, failures, written, told} = localServerFor();
    await offered();
    failures.splice(0, 1, failureOf('platform-unhealthy'));
    localServer.takes(signInCall(6));
    await expect.poll(() => textIn(written.find(({id}) => id === 6))).toBe('It failed. As explained.');
    expect(written.find(({id}) => id === 6)).toMatchObject({result: {isError: true}});
    expect(told()).toEqual([]);
  });

  test('a token that the server refuses leads to a sign-in without another try', async () => {
    const {localServer, offered, seen, written} = localServerFor();
    await offered('auth-token-refused');
    localServer.takes(signInCall(6));
    await expect.poll(() => textIn(written.find(({id}) => id === 6))).toContain('https://idp.test/authorize');
    expect(seen).toMatchObject({tries: 0, begun: 1});
  });

  test('two calls are of one sign-in', async () => {
    const {localServer, offered, seen, written} = localServerFor();
    await offered();
    localServer.takes(signInCall(6));
    await expect.poll(() => written.some(({id}) => id === 6)).toBe(true);
    localServer.takes(signInCall(7));
    await expect.poll(() => textIn(written.find(({id}) => id === 7))).toContain('still waiting');
    expect(seen.begun).toBe(1);
  });
});
