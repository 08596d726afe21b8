import {describe, expect, test} from 'vitest';
import {mcpServer, sendJson} from '../bridge/support/mcp-server.ts';
import {startBridge} from '../e2e/support/bridge.ts';
import {runSetup, startSetup} from '../e2e/support/run.ts';
import {signedIn} from '../e2e/support/sign-in/signed-in.ts';
import {contextAt} from '../support/context.ts';
import {singleUseProvider} from './support/single-use-provider.ts';

/** The number of tries of each case. */
const TIMES = Number(process.env.ENDURANCE_TIMES ?? 20);

/** Sets up a person whose access token has expired, at a provider that takes half a second for a renewal. */
const endedToken = async () => {
  const provider = await singleUseProvider({takes: 500});
  const server = await mcpServer({
    accepts: provider.accepts,
    answers: {'tools/list': ({id}, response) => sendJson(response, {jsonrpc: '2.0', id, result: {tools: []}})},
  });
  const {store, options} = signedIn(provider.issuer);
  store.putContexts([{...contextAt(provider.issuer), controlPlaneUrl: server.origin}], 'acme');
  return {provider, store, options};
};

type Bridge = ReturnType<typeof startBridge>;

const ways: readonly (readonly [string, (bridge: Bridge) => void])[] = [
  ['SIGTERM', bridge => bridge.kill('SIGTERM')],
  ['SIGINT', bridge => bridge.kill('SIGINT')],
  ['SIGHUP', bridge => bridge.kill('SIGHUP')],
  [
    'SIGINT twice',
    bridge => {
      bridge.kill('SIGINT');
      setTimeout(() => bridge.kill('SIGINT'), 50);
    },
  ],
  ['closed standard input', bridge => bridge.stdin.end()],
  ['closed standard output', bridge => void bridge.stdout.destroy()],
  [
    'closed transport, then SIGTERM, as a client ends it',
    bridge => {
      bridge.stdin.end();
      bridge.stdout.destroy();
      setTimeout(() => bridge.kill('SIGTERM'), 50);
    },
  ],
];

describe.each(ways)('a bridge that is ended during a renewal by %s', (_name, end) => {
  test(`loses no sign-in in ${TIMES} times`, async () => {
    for (let count = 0; count < TIMES; count += 1) {
      const {provider, store, options} = await endedToken();
      const arrived = provider.arrived();
      const bridge = startBridge(['control-plane'], options.surroundings);
      bridge.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
      await arrived;
      end(bridge);
      await bridge.ended;
      expect(store.only()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
      expect((await runSetup(['token'], options)).stdout).toBe('access-1\n');
      expect(provider.isEnded()).toBe(false);
    }
  });
});

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('a command that is ended during a renewal by %s', signal => {
  test(`loses no sign-in in ${TIMES} times`, async () => {
    for (let count = 0; count < TIMES; count += 1) {
      const {provider, store, options} = await endedToken();
      const arrived = provider.arrived();
      const run = startSetup(['token'], options);
      await arrived;
      run.kill(signal);
      await run.ended;
      expect(store.only()).toMatchObject({refreshToken: 'refresh-1'});
      expect(provider.isEnded()).toBe(false);
    }
  });
});

test('fifty processes of five kinds on one ended token ask for one renewal', async () => {
  const {provider, options} = await endedToken();
  const commands = [['token'], ['token', '--mcp-header'], ['token', '--json'], ['mcp', 'tools', 'control-plane']];
  const bridges = Array.from({length: 10}, () => {
    const bridge = startBridge(['control-plane'], options.surroundings);
    return bridge.initialize();
  });
  const runs = commands.flatMap(words => Array.from({length: 10}, () => runSetup(words, options)));
  for (const {code, stderr} of await Promise.all(runs)) expect({code, stderr}).toEqual({code: 0, stderr: ''});
  for (const answer of await Promise.all(bridges)) expect(answer).toHaveProperty('result');
  expect(provider.asked).toHaveLength(1);
});

test('a provider that hangs is waited for once by all who come, and they share its failure', async () => {
  const provider = await singleUseProvider({takes: 60_000});
  const {store, options} = signedIn(provider.issuer);
  store.putContexts([contextAt(provider.issuer)], 'acme');
  const started = performance.now();
  const runs = await Promise.all(Array.from({length: 6}, () => runSetup(['token'], options)));
  for (const {code, stderr} of runs)
    expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('did not answer in time')});
  expect(provider.asked).toHaveLength(1);
  // The deadline of one call is 15 s.
  expect(performance.now() - started).toBeLessThan(30_000);
});
