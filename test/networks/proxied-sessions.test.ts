import {describe, expect} from 'vitest';
import {bridgeOf} from './support/bridge.ts';
import {testIn} from './support/describe-situations.ts';
import type {PlatformOptions} from './support/platform.ts';
import type {ProxyKind} from './support/proxies.ts';
import {sceneFor, setUp} from './support/run-situation.ts';
import {proxyOnly, proxyUrls} from './support/situation.ts';

/** Sets up a signed-in person whose assistant goes through a proxy. */
const inSession = async (proxy: ProxyKind, platform: PlatformOptions = {}) => {
  const flags = ['--proxy', proxy.kind === 'socks' ? proxyUrls.socksByName : proxyUrls.http];
  const scene = await sceneFor({platform, proxy, firewall: proxyOnly, flags});
  const ran = await setUp(scene);
  expect(ran, ran.stdout).toMatchObject({code: 0});
  return {...scene, ...(await bridgeOf(scene))};
};

const expectAnswer = (answer: object) =>
  expect(answer, JSON.stringify(answer)).toMatchObject({result: {content: expect.any(Array)}});

const slowTools = {manner: {name: 'slow', ms: 40_000, only: 'tool-calls'}} as const;

describe('through a proxy', () => {
  testIn('that goes down and comes back, the next call works', ['squid'], async () => {
    const {call, stopProxy, restartProxy} = await inSession({kind: 'squid'});
    expectAnswer(await call());
    await stopProxy();
    expect(await call()).toMatchObject({
      error: {message: expect.stringMatching(/\bproxy\.corp\.test:3128\b/), data: {code: 'network-proxy'}},
    });
    await restartProxy();
    expectAnswer(await call());
  });

  testIn('that goes down during a call, the error says that the tool may have run', ['squid'], async () => {
    const {call, stopProxy, platform} = await inSession({kind: 'squid'}, slowTools);
    const arrived = platform?.next('tool-call');
    const answer = call();
    await arrived;
    await stopProxy();
    const failure = await answer;
    expect(failure, JSON.stringify(failure)).toMatchObject({
      error: {message: expect.stringMatching(/may have gone through/)},
    });
  });

  testIn('a tool works for 40 s without a word, and is not cut (squid)', ['squid'], async () => {
    expectAnswer(await (await inSession({kind: 'squid'}, slowTools)).call());
  });

  testIn('a tool works for 40 s without a word, and is not cut (SOCKS5)', ['microsocks'], async () => {
    expectAnswer(await (await inSession({kind: 'socks'}, slowTools)).call());
  });
});
