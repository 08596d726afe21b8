import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect} from 'vitest';

const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** A scenario of the suite, and the revisions of the protocol to which it applies. */
export type Scenario = {readonly name: string; readonly revisions: readonly string[]};

/** One check of the suite. */
type Check = {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly errorMessage?: string;
};

/** Returns every scenario of the installed suite, by the side that it tests. */
export const listScenarios = async (): Promise<Readonly<Record<'server' | 'client', readonly Scenario[]>>> => {
  const {stdout} = await promisify(execFile)(process.execPath, [suite, 'list']);
  const [server = '', client = ''] = stdout.split(/^(?:Client|Authorization server) scenarios/m);
  const read = (text: string) =>
    [...text.matchAll(/^ +- (\S+) \[([^\]]+)\]/gm)].map(([, name = '', revisions = '']) => ({
      name,
      revisions: revisions.split(','),
    }));
  return {server: read(server), client: read(client)};
};

/** Runs one scenario, and returns its checks without those that are only informative or skipped. */
const runScenario = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const directory = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const child = spawn(process.execPath, [suite, ...args, '--output-dir', directory], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {...process.env, ...env},
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    const [code] = await once(child, 'close');
    const files = readdirSync(directory, {recursive: true, encoding: 'utf8'});
    const read = (name: string) => {
      const file = files.find(one => one.endsWith(name));
      return file === undefined ? '' : readFileSync(join(directory, file), 'utf8');
    };
    const all: readonly Check[] = JSON.parse(read('checks.json') || '[]');
    const checks = all.filter(({status}) => status !== 'INFO' && status !== 'SKIPPED');
    return {code, checks, said: `${said}\n${read('stderr.txt')}`};
  } finally {
    rmSync(directory, {recursive: true, force: true});
  }
};

const client = fileURLToPath(new URL('client.ts', import.meta.url));

/**
 * Runs a scenario for clients through the bridge, with a client that asks for this revision.
 *
 * @param tools the tools to which the bridge is limited, if it is
 */
export const runClientScenario = (name: string, revision: string, tools?: 'look') => {
  const command = `"${process.execPath}" "${client}"`;
  const args = ['--command', command, '--scenario', name, '--spec-version', revision, '--timeout', '30000'];
  return runScenario(['client', ...args], tools ? {BRIDGE_TOOLS: tools} : {});
};

/** Runs a scenario for servers against the server at this address. */
export const runServerScenario = (name: string, url: string) =>
  runScenario(['server', '--url', url, '--scenario', name]);

/** Checks that a scenario has made checks, and that all of them passed. */
export const expectPassed = ({code, checks, said}: Awaited<ReturnType<typeof runScenario>>): void => {
  expect(checks, said).not.toEqual([]);
  expect(
    checks.filter(({status}) => status !== 'SUCCESS'),
    said,
  ).toEqual([]);
  expect(code, said).toBe(0);
};
