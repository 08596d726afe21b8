import {randomUUID} from 'node:crypto';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, inject, onTestFinished, test} from 'vitest';
import type {Client} from '../clients/support/clients.ts';
import {install, pathWith} from '../clients/support/install.ts';
import {runProgram} from '../clients/support/program.ts';
import {platformForTest} from '../e2e/support/platform.ts';
import {runSetup} from '../e2e/support/run.ts';
import {temporaryDirectory} from '../support/place.ts';
import {clientOf} from '../support/platform.ts';
import {exported, initialize} from './support/kit.ts';

/** The Dev Containers CLI, which editors use as well. */
const cli: Client = {
  name: 'Dev Containers CLI',
  package: '@devcontainers/cli',
  version: '0.89.0',
  command: 'devcontainer',
};

const base = process.env.DEV_CONTAINER_BASE ?? 'node:24-bookworm';

const docker = (args: readonly string[], timeout = 300_000) =>
  runProgram('docker', args, {cwd: '/', env: process.env, timeout});

const whyNot = async (): Promise<string | undefined> => {
  if ((await docker(['version'])).code !== 0) return 'no Docker daemon answers';
  if ((await docker(['image', 'inspect', base])).code === 0) return undefined;
  return (await docker(['pull', '--quiet', base])).code === 0 ? undefined : `${base} cannot be fetched`;
};

const why = await whyNot();
const installed = why === undefined ? await install(cli) : {missing: why};
const title = 'missing' in installed ? `, left out: ${installed.missing}` : '';

/**
 * Sets up a repository with the kit's dev container. It can reach this machine, because the sandbox and the registry
 * are on loopback.
 */
const repository = async (kit: string, bin: string) => {
  const directory = join(await temporaryDirectory(), 'repository');
  const at = join(directory, '.devcontainer');
  cpSync(join(kit, 'dev-container'), at, {recursive: true});
  const volume = `platform-setup-test-${randomUUID()}`;
  const file = join(at, 'devcontainer.json');
  const told = JSON.parse(readFileSync(file, 'utf8'));
  const changed = {
    ...told,
    build: {...told.build, args: {BASE: base, REGISTRY: inject('registry')}, options: ['--network=host']},
    mounts: [{...told.mounts[0], source: volume}],
    runArgs: ['--network=host'],
  };
  writeFileSync(file, JSON.stringify(changed));
  const run = async (words: readonly string[]) => {
    const [command = '', ...rest] = words;
    const args = [command, '--workspace-folder', directory, ...rest];
    const env = {...process.env, PATH: pathWith(bin), DOCKER_BUILDKIT: '0'};
    return runProgram(join(bin, cli.command), args, {cwd: directory, env, timeout: 580_000});
  };
  let image: string | undefined;
  let container: string | undefined;
  const remove = async () => {
    if (container !== undefined) await docker(['rm', '--force', container]);
    container = undefined;
  };
  onTestFinished(async () => {
    await remove();
    await docker(['volume', 'rm', volume]);
    if (image !== undefined) await docker(['rmi', '--force', image]);
  });
  return {
    up: async () => {
      const ended = await run(['up', '--buildkit', 'never']);
      expect(ended, ended.stdout + ended.stderr).toMatchObject({code: 0});
      container = JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '').containerId;
      image = (await docker(['inspect', '--format', '{{.Image}}', container ?? ''])).stdout.trim();
    },
    exec: (...words: readonly string[]) => run(['exec', ...words]),
    remove,
  };
};

describe.skipIf('missing' in installed)(`the dev container of an organisation kit${title}`, () => {
  test('has the program, entries that start, and a sign-in that outlives it', async () => {
    if ('missing' in installed) return;
    const {ready, flags} = await platformForTest();
    const {clientId, secret} = clientOf(ready, 'client_secret_post');
    const {up, exec, remove} = await repository(await exported(flags), installed.bin);
    await up();
    const {stdout: version} = await runSetup(['--version']);
    expect((await exec('platform-setup', '--version')).stdout).toContain(version.trim());

    // As a client starts it, with an almost empty environment.
    const file = await exec('cat', '/etc/claude-code/managed-mcp.json');
    const [entry] = Object.values<{command: string; args: string[]}>(JSON.parse(file.stdout).mcpServers);
    const words = [entry?.command ?? '', ...(entry?.args ?? [])];
    const bare = `exec env -i HOME="$HOME" PATH=/usr/bin:/bin "$@"`;
    const start = (message: string) => exec('sh', '-c', `echo '${message}' | (${bare})`, 'sh', ...words);
    const signedOut = await start(JSON.stringify(initialize));
    expect(signedOut.stdout).toContain(
      '/opt/platform-setup/lib/node_modules/platform-setup/bin/setup.js --base-domain',
    );

    const login = ['platform-setup', 'login', '--client-credentials', '--client-id', clientId, ...flags];
    const signIn = `echo '${secret}' | "$@" --client-secret-stdin`;
    const signedIn = await exec('sh', '-c', signIn, 'sh', ...login);
    expect(signedIn, signedIn.stdout + signedIn.stderr).toMatchObject({code: 0});
    expect(JSON.parse((await start(JSON.stringify(initialize))).stdout).result.serverInfo.name).toBe('platform-api');

    await remove();
    await up();
    const status = await exec('platform-setup', 'status');
    expect(status.stdout).toContain(`Signed in as ${clientId}`);
  });
});
