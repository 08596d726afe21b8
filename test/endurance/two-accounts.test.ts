import {existsSync} from 'node:fs';
import type {RequestListener} from 'node:http';
import {describe, expect, test} from 'vitest';
import {payloadOf} from '../../src/domain/tokens.ts';
import {platformForTest} from '../e2e/support/platform.ts';
import {runSetup, startSetup, surroundingsForTest} from '../e2e/support/run.ts';
import {storeIn} from '../e2e/support/store.ts';
import {clientOf} from '../support/platform.ts';

/** The number of processes of each account. */
const EACH = 30;

/** What the token endpoint does with a request of a client before it answers; undefined answers as usual. */
type Treatment = 'hang' | 'refuse' | undefined;

/** Sets up a person and an account of their assistants, at a token endpoint that counts requests by client. */
const machine = async () => {
  const asked: string[] = [];
  let treat: (client: string) => Treatment = () => undefined;
  let arrived = () => {};
  const platform = await platformForTest({
    inFront: {
      'identity-provider':
        (handler): RequestListener =>
        async (request, response) => {
          const isToken = request.method === 'POST' && request.url?.startsWith('/oauth2/token');
          const basic = request.headers.authorization?.replace('Basic ', '') ?? '';
          const client = Buffer.from(basic, 'base64').toString().split(':')[0] ?? '';
          if (!isToken) return handler(request, response);
          asked.push(client);
          arrived();
          const how = treat(client);
          if (how === 'hang') return;
          if (how === 'refuse') {
            response.writeHead(401, {'Content-Type': 'application/json'}).end('{"error":"invalid_client"}');
            return;
          }
          await handler(request, response);
        },
    },
  });
  const surroundings = surroundingsForTest();
  const run = (args: readonly string[], stdin = '') => runSetup(args, {surroundings, stdin});
  const me = clientOf(platform.ready, 'client_secret_basic');
  const signIn = ['--sign-in', 'mcp-client', '--client-id', me.clientId, '--client-secret-stdin'];
  const first = ['--yes', ...platform.flags, '--assistants', 'none', ...signIn];
  expect(await run(first, `${me.secret}\n`)).toMatchObject({code: 0});
  const {admin} = platform.ready;
  const created = await runSetup(['mcp', 'connect', 'cursor', '--yes', '--assistants-as', 'look'], {
    surroundings,
    env: {...surroundings.env, SETUP_ADMIN_USERNAME: admin.username, SETUP_ADMIN_PASSWORD: admin.password},
  });
  expect(created).toMatchObject({code: 0});
  const store = storeIn(surroundings.setupHome);
  const theirs = store.contexts()[0]?.assistantsAccount?.clientId ?? '';
  const clientIn = (text: string) => payloadOf(/eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(text)?.[0] ?? '')?.client_id;
  return {
    ...{run, store, asked, me: me.clientId, theirs, clientIn},
    start: (args: readonly string[]) => startSetup(args, {surroundings}),
    treat: (how: typeof treat) => {
      treat = how;
    },
    arrives: () =>
      new Promise<void>(resolve => {
        arrived = resolve;
      }),
  };
};

const mine = ['token'];
const ofAssistants = ['token', '--mcp-header'];

describe('the accounts of a person and of their assistants', () => {
  test('are renewed once each, by sixty processes at once', async () => {
    const {run, store, asked, me, theirs, clientIn} = await machine();
    store.expireAll();
    asked.length = 0;
    const runs = [mine, ofAssistants].flatMap(words => Array.from({length: EACH}, () => run(words)));
    const ended = await Promise.all(runs);
    for (const {code, stderr} of ended) expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(ended.map(({stdout}) => clientIn(stdout))).toEqual([
      ...Array.from({length: EACH}, () => me),
      ...Array.from({length: EACH}, () => theirs),
    ]);
    expect(asked.toSorted()).toEqual([me, theirs].toSorted());
  });

  test('are refused each by itself', async () => {
    const {run, store, me, theirs, treat, clientIn} = await machine();
    treat(client => (client === theirs ? 'refuse' : undefined));
    store.expireAll();
    const refused = await run(ofAssistants);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/^Your assistants are signed out of platform: /);
    expect(refused.stderr).toContain('--as assistants');
    expect(clientIn((await run(mine)).stdout)).toBe(me);
  });

  test('are refused each by itself, also that of the person', async () => {
    const {run, store, me, theirs, treat, clientIn} = await machine();
    treat(client => (client === me ? 'refuse' : undefined));
    store.expireAll();
    expect((await run(mine)).stderr).toMatch(/^You are signed out of platform: /);
    expect(clientIn((await run(ofAssistants)).stdout)).toBe(theirs);
  });

  test('outlive a process that is killed while it renews the other one', async () => {
    const {run, start, store, me, theirs, treat, arrives, clientIn} = await machine();
    treat(client => (client === theirs ? 'hang' : undefined));
    store.expireAll();
    const arrived = arrives();
    const hanging = start(ofAssistants);
    await arrived;
    hanging.kill('SIGKILL');
    await hanging.ended;
    expect(clientIn((await run(mine)).stdout)).toBe(me);
    treat(() => undefined);
    expect(clientIn((await run(ofAssistants)).stdout)).toBe(theirs);
  });

  test('belong to one deployment each', async () => {
    const {run, store, me, theirs, clientIn} = await machine();
    const [first] = store.contexts();
    if (!first) throw new Error('One deployment was expected.');
    const {assistantsAccount: _, entries: __, ...second} = first;
    store.putContexts([first, {...second, name: 'second'}], first.name);
    expect(clientIn((await run([...ofAssistants, '--context', 'second'])).stdout)).toBe(me);
    expect(clientIn((await run([...ofAssistants, '--context', first.name])).stdout)).toBe(theirs);
    // Ending the account of one deployment leaves the other one as it is.
    expect(await run(['mcp', 'connect', 'cursor', '--yes', '--assistants-as', 'you'])).toMatchObject({code: 0});
    expect(clientIn((await run(ofAssistants)).stdout)).toBe(me);
    expect(existsSync(store.credentialsPath)).toBe(true);
  });
});
