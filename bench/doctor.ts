import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Context} from '../src/domain/context.ts';
import {startSandbox} from '../src/sandbox/sandbox.ts';
import {launcher} from './launcher.ts';
import {inRounds} from './rounds.ts';
import {summarise} from './statistics.ts';
import {createSurroundings, type Surroundings} from './surroundings.ts';
import type {Row} from './table.ts';
import {measureProcess} from './whole-process.ts';

/**
 * Measures every check for an account that is signed in as an MCP client, on a healthy platform and on one that is
 * gone.
 */
export const measureDoctor = async (runs: number): Promise<Readonly<Record<string, readonly Row[]>>> => {
  const [surroundings, elsewhere] = [createSurroundings(), createSurroundings()];
  const sandbox = await startSandbox({layout: 'single', baseDomain: 'bench.localhost', port: 0});
  try {
    const {controlPlaneUrl, observerUrl, authUrl, clients} = sandbox.ready;
    const client = clients.find(one => one.tokenEndpointAuthMethod === 'client_secret_basic');
    const {clientId = '', clientSecret = ''} = client ?? {};
    setUp(surroundings, {controlPlaneUrl, observerUrl, authUrl}, {clientId, clientSecret});
    // A port on which only the system can listen.
    const nowhere = 'http://127.0.0.1:1';
    setUp(elsewhere, {controlPlaneUrl: nowhere, observerUrl: nowhere, authUrl: nowhere}, {clientId, clientSecret});
    const args = [launcher, 'doctor', '--json'];
    const measures = {
      healthy: () => measureProcess(args, surroundings),
      gone: () => measureProcess(args, elsewhere, NETWORK_EXIT),
    };
    await inRounds(1, measures);
    const {healthy, gone} = await inRounds(runs, measures);
    return {
      [`setup doctor, every check (${runs} runs)`]: [
        {label: 'a healthy platform', summary: summarise(healthy), unit: 'ms', aim: 'aim ≤ 1.5 s'},
        {label: 'nothing there', summary: summarise(gone), unit: 'ms', aim: 'aim ≤ 5 s'},
      ],
    };
  } finally {
    await sandbox.close();
    for (const {remove} of [surroundings, elsewhere]) remove();
  }
};

const NETWORK_EXIT = 3;

type Addresses = {readonly controlPlaneUrl: string; readonly observerUrl: string; readonly authUrl: string};

const setUp = (
  {env}: Surroundings,
  addresses: Addresses,
  {clientId, clientSecret}: {clientId: string; clientSecret: string},
) => {
  const directory = join(env.HOME ?? '', '.config', 'platform-setup');
  const issuer = addresses.authUrl;
  const context: Context = {
    ...addresses,
    ...{name: 'bench', platform: 'bundled', baseDomain: 'bench.localhost', layout: 'single'},
    ...{issuer, clientId, signIn: 'mcp-client'},
  };
  mkdirSync(directory, {recursive: true, mode: 0o700});
  const write = (name: string, value: object) =>
    writeFileSync(join(directory, name), JSON.stringify(value), {mode: 0o600});
  write('config.json', {version: 1, currentContext: context.name, contexts: [context]});
  write('credentials.json', {version: 1, place: 'file', credentials: [{issuer, clientId, clientSecret}]});
};
