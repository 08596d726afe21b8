import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {compose} from '../src/compose.ts';
import type {Context} from '../src/domain/context.ts';
import type {FlowEvent} from '../src/flows/flow.ts';
import {browserSignIn} from '../src/flows/sign-in/browser-sign-in.ts';
import {storeSignIn} from '../src/flows/sign-in/save-sign-in.ts';
import {freePort} from '../src/ports/browser/loopback-server.ts';
import {startSandbox} from '../src/sandbox/sandbox.ts';
import {navigate, signInAt} from '../test/support/browser.ts';
import {summarise} from './statistics.ts';
import type {Row} from './table.ts';

/**
 * Measures the time from the browser's answer to a stored token: the whole, and the rest without the network's round
 * trips.
 */
export const measureSignIn = async (runs: number): Promise<Readonly<Record<string, readonly Row[]>>> => {
  const samples = [];
  // The first run loads the libraries, which in practice happens while the browser opens.
  for (let run = 0; run <= runs; run += 1) samples.push(await signInOnce());
  const measured = samples.slice(1);
  return {
    [`Sign-in, from the callback to the stored token (${runs} runs)`]: [
      {label: 'all of it', summary: summarise(measured.map(({all}) => all)), unit: 'ms'},
      {
        label: 'without the network’s round trips',
        summary: summarise(measured.map(({all, network}) => all - network)),
        unit: 'ms',
        aim: 'aim ≤ 30 ms',
      },
    ],
  };
};

const signInOnce = async () => {
  const redirectUri = `http://127.0.0.1:${await freePort()}/auth-callback`;
  const sandbox = await startSandbox({layout: 'single', baseDomain: 'bench.localhost', port: 0, redirectUri});
  const home = await mkdtemp(join(tmpdir(), 'platform-setup-bench-'));
  try {
    const {authUrl: issuer, controlPlaneUrl, baseDomain, layout} = sandbox.ready;
    const ports = compose({SETUP_HOME: home, HOME: home}, {allowHttp: []});
    const clientId = 'platform-cli';
    const input = {
      issuer,
      clientId,
      wanted: {scopes: ['openid', 'profile', 'email']},
      redirectUri,
      listen: true,
      open: false,
    };
    let [called, network] = [0, 0];
    const tell = (event: FlowEvent) => {
      if (event.type === 'call-answered' && called > 0) network += event.ms;
      if (event.type !== 'sign-in-waiting') return;
      void signInAt(event.url).then(callback => {
        called = performance.now();
        return navigate(callback);
      });
    };
    const {token} = await browserSignIn(input, {ports, signal: new AbortController().signal, tell});
    const context: Context = {
      ...{name: 'bench', platform: 'bundled', baseDomain, layout, controlPlaneUrl, authUrl: issuer, issuer},
      ...{signIn: 'browser', clientId},
    };
    await storeSignIn({context, token}, ports);
    return {all: performance.now() - called, network};
  } finally {
    await sandbox.close();
    await rm(home, {recursive: true, force: true});
  }
};
