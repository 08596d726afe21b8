import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {access, readFile} from 'node:fs/promises';
import {expect, onTestFinished, test} from 'vitest';
import {startSandboxProcess} from '../../../src/command-line/sandbox/start-sandbox.ts';
import {faults} from '../../../src/sandbox/faults.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {heldPort, isRefused, openConnection, sandboxPorts} from '../support/ports.ts';
import {lastLine, runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {startSandbox} from '../support/sandbox.ts';

test.each(['SIGTERM', 'SIGINT'] as const)('one ready line; %s ends it and frees its ports', async signal => {
  const sandbox = await startSandbox();
  onTestFinished(async () => void (await sandbox.end('SIGTERM')));
  const {ready, output} = sandbox;
  expect(ready).toMatchObject({type: 'ready', layout: 'single', baseDomain: 'platform.localhost'});
  expect(output().stdout.trimEnd()).toBe(JSON.stringify(ready));

  const ports = sandboxPorts([ready.controlPlaneUrl, ready.observerUrl].join());
  expect(ports).toHaveLength(2);
  // A client that keeps its connection must not keep the sandbox running.
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
  // Without /proc, the program asks the machine's own tools.
  const env = {PATH: process.env.PATH};
  const {code, stdout, stderr} = await runSetup(['sandbox', '--port', String(port), '--json'], {env});
  expect({code, stderr}).toEqual({code: 6, stderr: ''});
  expect(lastLine(stdout)).toMatchObject({type: 'failed', code: 'local-port-taken'});
  expect(lastLine(stdout).message).toMatch(new RegExp(`${port}.*\\(process ${process.pid}\\)`));
});

test('its faults are said in sentences, with what makes up for them', async () => {
  const sandbox = startSetup(['sandbox', '--port', '0', '--fault', 'self-signed,no-browser,observer-missing']);
  const said = await sandbox.prints(/^([\s\S]*)Press Ctrl-C to stop it/);
  const [text] = said;
  expect(text).toMatch(/^ {2}observer-missing +Nothing listens at the port of the observer\.$/m);
  expect(text).toMatch(/^ {2}self-signed +Everything is served over https, /m);
  expect(text).toMatch(/^npx setup --no-browser --control-plane-url https:\/\/api\.platform\.localhost:\d+ /m);

  const [, file = ''] = /^export NODE_EXTRA_CA_CERTS='(.+)'$/m.exec(text) ?? [];
  expect(await readFile(file, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/);
  sandbox.kill('SIGTERM');
  expect(await sandbox.ended).toMatchObject({code: 0, stderr: ''});
  await expect(access(file)).rejects.toMatchObject({code: 'ENOENT'});
});

test('the command that it prints names the redirect URL that it was started with', async () => {
  const redirectUri = 'http://127.0.0.1:9/callback?of=here';
  const sandbox = startSetup(['sandbox', '--port', '0', '--redirect-uri', redirectUri]);
  const [text] = await sandbox.prints(/^([\s\S]*)Press Ctrl-C to stop it/);
  expect(text).toMatch(/^npx setup .* --redirect-uri 'http:\/\/127\.0\.0\.1:9\/callback\?of=here'$/m);
});

test('a sandbox without a fault says nothing of any', async () => {
  const sandbox = startSetup(['sandbox', '--port', '0']);
  const [text] = await sandbox.prints(/^([\s\S]*)Press Ctrl-C to stop it/);
  expect(text).not.toContain('wrong');
  expect(text).not.toContain('NODE_EXTRA_CA_CERTS');
});

test.each(['sandbox', 'demo'])('setup %s names the fault that was meant', async command => {
  const {code, stdout} = await runSetup([command, '--fault', 'slow-idp,self-singed', '--json']);
  expect(code).toBe(2);
  expect(lastLine(stdout)).toMatchObject({code: 'input-invalid', remedy: 'Did you mean self-signed?'});
  expect(lastLine(stdout).message).toMatch(
    /^There is no fault called self-singed\. Known: idp-down, .*, no-browser\.$/,
  );
});

test('who starts a sandbox that cannot start is told why', async () => {
  const port = await heldPort();
  const {env} = surroundingsForTest();
  const wanted = {flags: ['--observer-port', String(port)], furnishing: {projects: [], bindings: []}};
  const start = startSandboxProcess(launcher, wanted, env, new AbortController().signal);
  await expect(start).rejects.toMatchObject({
    code: 'local-sandbox-failed',
    message: expect.stringContaining(`Port ${port} of 127.0.0.1 is in use by `),
    remedy: expect.stringContaining('choose other ports'),
  });
});

test('the fault that needs the callback port names no flag for other ports when that port is in use', async () => {
  const port = await heldPort();
  const args = ['sandbox', '--port', '0', '--observer-port', '0', '--fault', 'port-taken', '--json'];
  const {code, stdout} = await runSetup([...args, '--redirect-uri', `http://127.0.0.1:${port}/auth-callback`]);
  expect(code).toBe(6);
  expect(lastLine(stdout)).toMatchObject({
    code: 'local-port-taken',
    remedy: expect.stringMatching(/^The fault port-taken needs this port\. (?!.*--port)/),
  });
});

test('its help says what every fault does, in 100 columns', async () => {
  const {code, stdout} = await runSetup(['sandbox', '--help']);
  expect(code).toBe(0);
  const sections = stdout.slice(stdout.indexOf('\nFaults\n')).split('\nWhile it runs\n');
  const [listed = [], typed = []] = sections.map(text => text.split('\n').filter(Boolean));
  expect(listed.shift()).toBe('Faults');
  expect(listed.map(line => /^ {2}([\w-]+) +[A-Z].+\.$/.exec(line)?.[1])).toEqual([
    ...Object.keys(faults),
    'no-browser',
  ]);
  expect(typed.join('\n')).toContain('bind CLAIM VALUE');
  expect([...listed, ...typed].filter(line => line.length > 100)).toEqual([]);
});
