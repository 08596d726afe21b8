import {execFile, type SpawnOptions, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {promisify} from 'node:util';
import {beforeAll, describe, expect, inject, onTestFinished, test} from 'vitest';
import type {SandboxReady} from '../../src/sandbox/sandbox.ts';
import {treeOf} from '../e2e/support/files.ts';
import {clientOf} from '../support/platform.ts';
import {openTerminal} from '../support/terminal/terminal.ts';

const {path: tarball, nodes} = inject('tarball');

type Result = {readonly code: number | null; readonly stdout: string; readonly stderr: string};

/** Variables with which this machine reaches npm's registry, if it needs any. */
const reachable = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'].flatMap(name => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** Sets up a machine with this Node, on which only the packed program is installed. */
const machineWith = async (major: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'setup-test-'));
  const [home, prefix, work] = ['home', 'prefix', 'a directory'].map(name => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [home, work]) mkdirSync(one);
  const bin = join(nodes[major] ?? '', 'bin');
  const env = {HOME: home, PATH: [join(prefix, 'bin'), bin].join(delimiter), LANG: 'C.UTF-8', TMPDIR: directory};
  const node = join(bin, 'node');
  // npm must fetch nothing else with the package. Optional packages are left to the machine.
  const flags = ['--global', '--omit=optional', '--cache', join(directory, 'npm'), '--prefix', prefix];
  const options = {env: {...env, ...reachable}, cwd: work};
  await promisify(execFile)(node, [join(bin, 'npm'), 'install', ...flags, tarball], options);

  const start = (args: readonly string[], stdin = '', options: SpawnOptions = {}) => {
    const child = spawn(join(prefix, 'bin', 'setup'), args, {env, cwd: work, ...options, stdio: 'pipe'});
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.stdin?.end(stdin);
    const ended = once(child, 'close').then(([code]): Result => ({code, stdout, stderr}));
    return {child, ended, said: () => stdout};
  };
  return {
    ...{home, work, prefix, env, directory, start},
    run: (args: readonly string[], stdin = '') => start(args, stdin).ended,
    remove: () => rmSync(directory, {recursive: true, force: true, maxRetries: 5}),
  };
};

type Machine = Awaited<ReturnType<typeof machineWith>>;

const machineFor = (major: string) => {
  let machine: Machine | undefined;
  beforeAll(async () => {
    machine = await machineWith(major);
    return machine.remove;
  });
  return () => machine ?? expect.fail();
};

describe.each(['22', '24'])('installed from the tarball under Node %s', major => {
  const machine = machineFor(major);

  test('it says its version, its help, and runs the demonstration', async () => {
    const {run, home} = machine();
    expect(await run(['--version'])).toMatchObject({code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/)});
    // An installed program is called by its own name.
    expect(await run(['help'])).toMatchObject({code: 0, stdout: expect.stringContaining('platform-setup demo')});
    const {code, stdout, stderr} = await run(['demo', '--yes', '--json']);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({type: 'done'});
    expect(Object.keys(treeOf(home)).filter(path => !path.startsWith('.cache'))).toEqual([]);
  });

  test('it connects, works, diagnoses, signs out, and leaves the home as it was', async () => {
    const {run, start, home, work} = machine();
    writeFileSync(join(home, '.claude.json'), '{"numStartups": 1}');
    await run(['uninstall', '--yes']);
    const before = treeOf(home);
    const sandbox = start(['sandbox', '--port', '0', '--json']);
    onTestFinished(async () => {
      sandbox.child.kill();
      await sandbox.ended;
    });
    await expect.poll(() => sandbox.said(), {timeout: 60_000}).toContain('\n');
    const ready: SandboxReady = JSON.parse(sandbox.said().split('\n')[0] ?? '');
    const {clientId, secret} = clientOf(ready, 'client_secret_post');
    const args = [
      ...['--yes', '--base-domain', ready.baseDomain, '--control-plane-url', ready.controlPlaneUrl],
      ...['--observer-url', ready.observerUrl, '--auth-url', ready.authUrl, '--project', work],
      ...['--sign-in', 'service-account', '--client-id', clientId, '--client-secret-stdin'],
      ...['--assistants', 'claude-code,generic'],
    ];
    expect(await run(args, `${secret}\n`)).toMatchObject({code: 0, stdout: expect.stringContaining('All set')});
    expect(await run(['status'])).toMatchObject({code: 0, stderr: ''});
    expect(await run(['token'])).toMatchObject({code: 0, stdout: expect.stringMatching(/^eyJ/)});
    expect(await run(['mcp', 'list', '--json'])).toMatchObject({code: 0});
    expect(await run(['doctor', '--json'])).toMatchObject({code: 0});
    expect(await run(['mcp', 'tools', 'control-plane', '--json'])).toMatchObject({code: 0});
    expect(await run(['logout'])).toMatchObject({code: 0});
    expect(await run(['uninstall', '--yes'])).toMatchObject({code: 0, stderr: ''});
    expect(treeOf(home)).toEqual(before);
  });
});

describe('installed from the tarball under Node 20, which is too old', () => {
  const machine = machineFor('20');

  test('it says what to type where nobody can be asked, and that works', async () => {
    const {run, env, home} = machine();
    expect(await run(['--version'])).toMatchObject({code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/)});
    const {code, stderr} = await run(['demo', '--yes', '--json', '--quiet']);
    expect(code).toBe(6);
    expect(stderr).toBe('');
    const {stderr: said} = await run(['demo', '--yes']);
    expect(said).toMatch(/^Node 20\.\d+\.\d+ is too old/);
    const typed = /or run this in your home directory: (npx .*)$/m.exec(said)?.[1] ?? '';
    const {stdout} = await promisify(execFile)('/bin/sh', ['-c', typed], {
      env: {...env, ...reachable, PATH: `${env.PATH}:/usr/bin:/bin`},
      cwd: home,
    });
    expect(stdout).toContain('All set');
  });

  test('it fetches a newer one where the person wants that, and goes on', async () => {
    const {env, work, prefix} = machine();
    const terminal = openTerminal(join(prefix, 'bin', 'setup'), ['demo'], {
      env: {...env, ...reachable, PATH: `${env.PATH}:/usr/bin:/bin`, SETUP_HOME: join(work, 'kept')},
      cwd: work,
    });
    onTestFinished(() => terminal.close());
    await terminal.waitFor('[Y/n]');
    terminal.press('enter');
    await terminal.until('the first screen', () => (terminal.screen().includes('? keys') ? true : undefined), 240_000);
    expect(terminal.screen()).toContain('Platform setup');
  });
});
