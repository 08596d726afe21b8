import {once} from 'node:events';
import {expect, test} from 'vitest';
import {mcpServer} from '../../bridge/support/mcp-server.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';
import {startBridge} from '../support/bridge.ts';
import {signedIn} from '../support/sign-in/signed-in.ts';

const MIB = 1024 * 1024;
const good = () => ({obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000});

/**
 * Starts a platform whose tokens end when the test says, at the server or by the clock, and whose server can restart.
 */
const platform = async () => {
  let isRefusing = false;
  const provider = await tokenServer((form, count) =>
    isRefusing ? {status: 400, body: {error: 'invalid_grant'}} : rotating(form, count),
  );
  let accepted = 'access-0';
  const server = await mcpServer({
    accepts: token => token === accepted,
    answers: {
      big: async ({id}, response) => {
        response.writeHead(200, {'Content-Type': 'text/event-stream'});
        response.write(`event: message\ndata: {"jsonrpc":"2.0","id":${id},"result":{"text":"`);
        const part = 'x'.repeat(64 * 1024);
        for (let sent = 0; sent < 10 * MIB; sent += part.length) {
          if (!response.write(part)) await once(response, 'drain');
        }
        response.end('"}}\n\n');
      },
    },
  });
  return {
    server,
    issuer: provider.issuer,
    asked: provider.asked,
    refuse: (refuses: boolean) => {
      isRefusing = refuses;
    },
    /** Accepts only this token from now on. */
    accept: (token: string) => {
      accepted = token;
    },
  };
};

test('one bridge outlives what comes in a day, and stays as small as it began', async () => {
  const {server, issuer, asked, refuse, accept} = await platform();
  const {store, options} = signedIn(issuer, good());
  store.putContexts(
    store.contexts().map(context => ({...context, controlPlaneUrl: server.origin})),
    'acme',
  );
  const bridge = startBridge(['control-plane'], options.surroundings);
  const {request, lines} = bridge;
  /** Makes calls, `atOnce` of them at a time, and compares each with its own answer. */
  const call = async (count: number, atOnce: number) => {
    let begun = 0;
    const caller = async () => {
      while (begun < count) {
        begun += 1;
        const n = begun;
        expect(await request('echo', {n})).toMatchObject({result: {n}});
        // The lines have been checked; keeping them would make the test itself grow.
        if (begun % 100 === 0) lines.length = 0;
      }
    };
    await Promise.all(Array.from({length: atOnce}, caller));
  };

  // The first renewal loads what renewals need, once: 14 MiB, and twice that while nothing of it is compiled. It
  // belongs to the warm-up, as do the connections and the code of the first calls.
  await bridge.initialize();
  await call(500, 50);
  accept('access-1');
  await call(100, 50);
  const before = await bridge.memory();

  // 1,000 calls, 50 in flight.
  await call(1_000, 50);

  // A result of 10 MB.
  const {result} = await request('big');
  expect(result.text.length).toBe(10 * MIB);
  lines.length = 0;

  // A restart of the server, with calls in flight.
  server.forget();
  await call(100, 50);
  expect(server.methods().filter(method => method === 'initialize')).toHaveLength(2);

  // Ten expiries: the server notices half of them, and the clock the other half.
  for (let expiry = 1; expiry <= 10; expiry += 1) {
    accept(`access-${expiry + 1}`);
    if (expiry % 2 === 0) store.expire();
    await call(50, 50);
    expect(asked).toHaveLength(expiry + 1);
  }

  // A refused refresh: the failure says what to do, and there is no second attempt.
  refuse(true);
  accept('access-new');
  const ended = await Promise.all(Array.from({length: 50}, () => request('echo', {})));
  for (const answer of ended) {
    expect(answer).toMatchObject({
      error: {message: expect.stringContaining('login --context acme'), data: {code: 'auth-sign-in-required'}},
    });
  }
  expect(asked).toHaveLength(12);

  // A new sign-in in another terminal.
  store.put(store.contexts()[0] ?? expect.fail('The context is gone.'), {
    issuer,
    clientId: 'platform-cli',
    accessToken: 'access-new',
    refreshToken: 'refresh-new',
    ...good(),
  });
  await call(200, 50);

  // Resident memory without garbage. What the allocator keeps differs by a few MiB from run to run.
  const after = await bridge.memory();
  expect(after - before).toBeLessThan(20);
  expect(bridge.isRunning()).toBe(true);
  bridge.stdin.end();
  expect(await bridge.ended).toEqual({code: 0, signal: null, stderr: ''});
  expect(server.sessions.size).toBe(0);
}, 60_000);
