import {setTimeout as wait} from 'node:timers/promises';
import {describe, expect} from 'vitest';
import {bridgeOf} from './support/bridge.ts';
import {testIn} from './support/describe-situations.ts';
import {addresses, type Network} from './support/namespaces.ts';
import type {PlatformOptions} from './support/platform.ts';
import {sceneFor, setUp} from './support/run-situation.ts';

/** Sets up a signed-in person whose assistant has called a tool already. */
const inSession = async (platform: PlatformOptions = {}) => {
  const scene = await sceneFor({platform});
  expect(await setUp(scene)).toMatchObject({code: 0});
  const bridge = await bridgeOf(scene);
  expect(await bridge.request('tools/list')).toHaveProperty('result.tools');
  if (!scene.platform) throw new Error('There is no platform.');
  return {...scene, ...bridge, platform: scene.platform};
};

const forget = ({run}: Network) => run('router', 'conntrack', '-D', '-p', 'tcp');
const dropAll = ({run}: Network) => run('router', 'nft', 'insert', 'rule', 'inet', 'firewall', 'forward', 'drop');

const changeAddress = ({run}: Network) => {
  const commands = [
    `ip address del ${addresses.client}/24 dev eth0`,
    'ip address add 10.77.1.7/24 dev eth0',
    `ip route replace default via ${addresses.router}`,
  ];
  return run('client', '/bin/sh', '-ec', commands.join('\n'));
};

/** Waits until the platform's machine has acknowledged everything that was sent. */
const acknowledged = async ({run}: Network) => {
  for (;;) {
    const connections = (await run('client', 'ss', '-Htn', 'state', 'established')).trim().split('\n');
    if (connections.every(line => line.trim().split(/\s+/)[1] === '0')) return;
    await wait(20);
  }
};

const answered = {result: {content: expect.any(Array)}};
const mayHaveRun = {
  error: {
    message: expect.stringMatching(/(?=.*https:\/\/api\.acme\.test\b)(?=.*may have gone through)/),
    data: {code: expect.stringMatching(/^network-(lost|timeout)$/)},
  },
};

const expectAnswer = (answer: object) => expect(answer, JSON.stringify(answer)).toMatchObject(answered);
const expectMayHaveRun = (answer: object) => expect(answer, JSON.stringify(answer)).toMatchObject(mayHaveRun);

/**
 * Checks a call on a connection that neither side could know to be dead: an answer, or an error that the call may
 * have run.
 */
const expectKnownEnd = (answer: object) => ('result' in answer ? expectAnswer(answer) : expectMayHaveRun(answer));

describe('between two calls of an assistant', () => {
  testIn('a firewall forgets the connection, and the next call works', ['conntrack'], async () => {
    const {network, call} = await inSession();
    expectAnswer(await call());
    // As long as the network is silent.
    await wait(10_000);
    await forget(network);
    expectAnswer(await call());
  });

  testIn('the client gets another address for a while, and the next call works', [], async () => {
    const {network, call} = await inSession();
    expectAnswer(await call());
    await changeAddress(network);
    await wait(10_000);
    expectAnswer(await call());
  });

  testIn('the client gets another address at once, and the next call comes to an end', [], async () => {
    const {network, call} = await inSession();
    expectAnswer(await call());
    await changeAddress(network);
    expectKnownEnd(await call());
    expectAnswer(await call());
  });
});

describe('during a call of an assistant', () => {
  const silentTools = {manner: {name: 'slow', ms: 3_600_000, only: 'tool-calls'}} as const;
  const slowTools = {manner: {name: 'slow', ms: 40_000, only: 'tool-calls'}} as const;

  testIn('the network goes silent, and the error says that the tool may have run', [], async () => {
    const {network, platform, call} = await inSession(silentTools);
    const arrived = platform.next('tool-call');
    const answer = call();
    await arrived;
    await acknowledged(network);
    await dropAll(network);
    expectMayHaveRun(await answer);
  });

  testIn('the network goes silent before it said that the call arrived, and the error says the same', [], async () => {
    const {network, call} = await inSession(silentTools);
    await dropAll(network);
    expectMayHaveRun(await call());
  });

  testIn('the tool works for 40 s without a word, and is not cut', [], async () => {
    const {call} = await inSession(slowTools);
    expectAnswer(await call());
  });

  testIn('two tools work for 40 s behind a firewall that forgets silent connections after 30 s', [], async () => {
    const {network, call} = await inSession(slowTools);
    const limit = '/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_established';
    await network.run('router', '/bin/sh', '-c', `echo 30 > ${limit}`);
    // The second call has to open a connection of its own.
    expect(await Promise.all([call(), call()])).toMatchObject([answered, answered]);
  });
});
