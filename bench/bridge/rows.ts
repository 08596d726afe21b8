import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import {launcher} from '../launcher.ts';
import {inRounds} from '../rounds.ts';
import {ACCESS_TOKEN, signIn} from '../signed-in.ts';
import {type Summary, summarise} from '../statistics.ts';
import {createSurroundings} from '../surroundings.ts';
import type {Row} from '../table.ts';
import {AT_ONCE, CALLS, type Drive, driveBridge, measureCalls} from './drive.ts';
import {measureIdle} from './idle.ts';
import {type Peer, peers} from './peers.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const HOUR = 3_600_000;

/**
 * Measures `setup mcp serve` beside a direct connection and the SDK's two transports connected to each other.
 *
 * @param withPeers also measures its peers, which are installed into a folder that is removed at the end
 */
export const measureBridges = async (
  runs: number,
  withPeers: boolean,
): Promise<Readonly<Record<string, readonly Row[]>>> => {
  const folder = await mkdtemp(join(tmpdir(), 'setup-bench-peers-'));
  const place = createSurroundings();
  const surroundings = {...place, env: {...place.env, SETUP_HOME: join(place.directory, 'setup')}};
  const server = await startServer();
  try {
    signIn(surroundings, server.origin, {obtainedAt: Date.now(), expiresAt: Date.now() + HOUR});
    const url = `${server.origin}/mcp`;
    const sdk = await bundleSdkBridge(place.directory);
    const installed = withPeers ? await installPeers(folder) : [];
    const bridge = [process.execPath, launcher, 'mcp', 'serve', 'control-plane'] as const;
    const measures: Record<string, () => Promise<Drive>> = {
      setup: () => driveBridge(bridge, surroundings),
      sdk: () => driveBridge([process.execPath, sdk, url, ACCESS_TOKEN], surroundings),
      ...Object.fromEntries(
        installed.map(({name, command}) => [
          name,
          () => driveBridge(command(join(folder, name), url, ACCESS_TOKEN), surroundings, 'ignore'),
        ]),
      ),
      direct: () => driveDirectly(url),
    };
    await inRounds(1, measures);
    const table = tableOf(runs, await inRounds(runs, measures));
    return {...table, 'MCP bridge, idle': await measureIdle(bridge, surroundings)};
  } finally {
    server.close();
    place.remove();
    await rm(folder, {recursive: true, force: true});
  }
};

/** Installs the peers, and returns those that succeeded. Prints the errors of the others. */
const installPeers = async (folder: string): Promise<readonly Peer[]> => {
  const installed: Peer[] = [];
  for (const peer of peers) {
    try {
      const directory = join(folder, peer.name);
      await mkdir(directory);
      await peer.install(directory);
      installed.push(peer);
    } catch (error) {
      const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
      process.stderr.write(`${peer.name} could not be installed, so it is left out: ${reason}\n`);
    }
  }
  return installed;
};

const names = new Map<string, string>([
  ['direct', 'direct, by fetch'],
  ['sdk', 'MCP SDK, two transports back to back'],
  ...peers.map(({name, version}) => [name, `${name} ${version}`] as const),
  ['setup', 'setup mcp serve'],
]);

const aspects = [
  {key: 'start', label: 'start to the first answer', unit: 'ms', aim: 'aim ≤ 0.5 × SDK'},
  {key: 'memory', label: 'memory after the calls', unit: 'MiB', aim: 'aim ≤ 60 MiB'},
  {key: 'latency', label: 'one call', unit: 'µs', aim: 'aim ≤ 1.4 × direct'},
  {key: 'throughput', label: `${AT_ONCE} at once`, unit: '/s', aim: 'aim ≥ 0.8 × direct'},
] as const;

const tableOf = (runs: number, samples: Readonly<Record<string, readonly Drive[]>>) =>
  Object.fromEntries(
    aspects.map(({key, label, unit, aim}) => {
      const found = new Map<string, Summary>();
      for (const name of names.keys()) {
        const known = (samples[name] ?? []).flatMap(drive => drive[key] ?? []);
        if (known.length > 0) found.set(name, summarise(known));
      }
      const sdk = found.get('sdk')?.median ?? 0;
      const rows = [...found].map(
        ([name, summary]): Row => ({
          label: names.get(name) ?? name,
          ...(name === 'setup' ? {} : {isOther: true}),
          summary,
          unit,
          ...(name === 'sdk' ? {} : {against: `× ${(summary.median / sdk).toFixed(2)}`}),
          ...(name === 'setup' ? {aim} : {}),
        }),
      );
      return [`MCP bridge, ${label} (${runs} runs of ${CALLS} and ${4 * CALLS} calls)`, rows] as const;
    }),
  );

/** Sets up the same calls with a client that needs no bridge. It has no start and no memory of its own. */
const driveDirectly = async (url: string): Promise<Drive> => {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${ACCESS_TOKEN}`,
  };
  const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'bench', arguments: {}}});
  const call = async () => (await fetch(url, {method: 'POST', headers, body})).text();
  const {latency, throughput} = await measureCalls(call);
  return {latency, throughput, start: undefined, memory: undefined};
};

const startServer = async () => {
  const child = spawn(process.execPath, [here('mcp-server.ts')], {stdio: ['pipe', 'pipe', 'inherit']});
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return {origin: String(line).trim(), close: () => void child.stdin.end()};
};

/** Bundles the bridge, and starts it like the program itself, with the compile cache on. */
const bundleSdkBridge = async (directory: string): Promise<string> => {
  await build({
    entryPoints: [here('sdk-bridge.ts')],
    outdir: directory,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.19',
    minify: true,
    mainFields: ['module', 'main'],
    banner: {
      js: "import {createRequire as __createRequire} from 'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  await writeFile(join(directory, 'package.json'), '{"type": "module"}\n');
  const launcher = join(directory, 'launcher.cjs');
  await writeFile(
    launcher,
    `'use strict';
require('module').enableCompileCache(require('path').join(process.env.HOME, '.cache', 'sdk', 'compile'));
import('./sdk-bridge.js');
`,
  );
  return launcher;
};
