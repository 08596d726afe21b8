import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {expect, onTestFinished, test} from 'vitest';
import {startSandboxProcess} from '../../src/commands/start-sandbox.ts';
import {launcher} from '../support/terminal-environment.ts';
import {heldPort, isRefused, openConnection, sandboxPorts} from './support/ports.ts';
import {lastLine, runSetup, surroundingsForTest} from './support/run.ts';
import {startSandbox} from './support/sandbox.ts';

test.each(['SIGTERM', 'SIGINT'] as const)('one ready line; %s ends it and frees its ports', async signal => {
  const sandbox = await startSandbox();
  onTestFinished(async () => void (await sandbox.end('SIGTERM')));
  const {ready, output} = sandbox;
  expect(ready).toMatchObject({type: 'ready', layout: 'single', baseDomain: 'platform.localhost'});
  expect(output().stdout.trimEnd()).toBe(JSON.stringify(ready));

  const ports = sandboxPorts([ready.controlPlaneUrl, ready.observerUrl].join());
  expect(ports).toHaveLength(2);
  // A client that keeps its connection must not keep the sandbox.
  const closed = once(await openConnection(ports[0] ?? 0), 'close');
  expect(await sandbox.end(signal)).toBe(0);
  await closed;
  for (const port of ports) expect(await isRefused(port)).toBe(true);
  expect(output().stderr).toBe('');
});

test('the multi-cluster layout has the observer in a plane of its own', async () => {
  const sandbox = await startSandbox('multi');
  onTestFinished(async () => void (await sandbox.end('SIGTERM')));
  expect(sandbox.ready.observerUrl).toMatch(/^http:\/\/observer\.observability\.platform\.localhost:\d+$/);
});

test('it ends with the program that started it, also when that leaves before it is ready', async () => {
  const {env, temporary} = surroundingsForTest();
  const child = spawn(process.execPath, [launcher, 'sandbox', '--port', '0'], {
    env,
    cwd: temporary,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
});

test('a port that is taken says by which program', async () => {
  const port = await heldPort();
  // Where there is no /proc, the machine's own tools know.
  const env = {PATH: process.env.PATH};
  const {code, stdout, stderr} = await runSetup(['sandbox', '--port', String(port), '--json'], {env});
  expect({code, stderr}).toEqual({code: 6, stderr: ''});
  expect(lastLine(stdout)).toMatchObject({type: 'failed', code: 'local-port-taken'});
  expect(lastLine(stdout).message).toMatch(new RegExp(`${port}.*\\(process ${process.pid}\\)`));
});

test('who starts a sandbox that cannot start is told why', async () => {
  const port = await heldPort();
  const {env} = surroundingsForTest();
  const start = startSandboxProcess(launcher, ['--observer-port', String(port)], env, new AbortController().signal);
  await expect(start).rejects.toMatchObject({
    code: 'local-sandbox-failed',
    message: expect.stringContaining(`Port ${port} of 127.0.0.1 is taken by `),
    remedy: expect.stringContaining('choose other ports'),
  });
});
