import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {clientOf} from '../support/platform.ts';
import {platformForTest} from './support/platform.ts';
import {runSetup, surroundingsForTest} from './support/run.ts';
import {expectWithout} from './support/secrets.ts';

/** Creates the programs that this one starts. Each of them records its arguments. */
const watchedPrograms = (directory: string, log: string) => {
  for (const name of ['git', 'helm', 'kubectl', 'claude', 'codex', 'gemini', 'occ', 'xdg-open', 'code']) {
    const path = join(directory, name);
    const script = `require('fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify([process.argv, process.env]) + '\\n')`;
    writeFileSync(path, `#!${process.execPath}\n${script};\nprocess.exit(1);\n`);
    chmodSync(path, 0o755);
  }
};

const filesBelow = (directory: string): readonly string[] =>
  existsSync(directory)
    ? readdirSync(directory, {recursive: true, withFileTypes: true})
        .filter(entry => entry.isFile())
        .map(({parentPath, name}) => join(parentPath, name))
    : [];

test('no secret is in what is printed, kept, recorded, reported, or given to another program', async () => {
  const {ready, flags} = await platformForTest();
  const surroundings = surroundingsForTest();
  const {home, setupHome, temporary, env} = surroundings;
  const log = join(temporary, 'programs.jsonl');
  watchedPrograms(env.PATH ?? '', log);
  const theirs = ['their-ghp_canaryCanary12', 'their-hunter2-canary', 'sk-their-canary-1'];
  const [token, password, key] = theirs;
  const servers = {other: {command: 'npx', args: ['--key', key], env: {PASSWORD: password}}};
  const settings = {theme: 'dark', token, mcpServers: servers};
  writeFileSync(join(home, '.claude.json'), JSON.stringify(settings, null, 2));
  // Without this file the program would not ask kubectl and helm.
  mkdirSync(join(home, '.kube'));
  writeFileSync(join(home, '.kube', 'config'), 'current-context: acme\n');
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const project = join(temporary, 'project');
  const report = join(temporary, 'report.md');
  const said: string[] = [];
  const run = async (args: readonly string[], options: Parameters<typeof runSetup>[1] = {}) => {
    const result = await runSetup([...args, '--debug'], {surroundings, ...options});
    said.push(result.stdout, result.stderr);
    return result;
  };
  const clientFlags = ['--sign-in', 'service-account', '--client-id', clientId, '--client-secret-stdin'];
  const to = ['--project', project, '--assistants', 'claude-code,generic', '--method', 'bridge', '--context', 'acme'];
  const set = await run(['--yes', ...flags, ...clientFlags, ...to], {stdin: `${secret}\n`});
  expect(set).toMatchObject({code: 0});
  await run(['doctor', '--report', report]);
  await run(['doctor', '--json']);
  await run(['status', '--json']);
  await run(['mcp', 'list', '--json']);
  await run(['mcp', 'tools', 'control-plane', '--json']);
  await run(['mcp', 'call', 'control-plane', 'nobody', '--json']);
  await run(['component', 'list', '--json']);
  await run(['login', '--client-secret-stdin'], {stdin: 'another-secret-that-is-wrong\n'});
  const credentials = join(setupHome, 'credentials.json');
  const tokens = [...readFileSync(credentials, 'utf8').matchAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)].map(([token]) => token);
  expect(tokens.length).toBeGreaterThan(0);
  await run(['undo', '--yes']);
  await run(['logout']);

  const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
  const signatures = tokens.map(token => token.split('.')[2] ?? '');
  const canaries = [secret, basic, 'another-secret-that-is-wrong', ...signatures];
  for (const text of said) expectWithout(text, ...theirs);
  const kept = [...filesBelow(home), ...filesBelow(temporary)].filter(path => path !== credentials);
  expect(kept.some(path => path.includes('/records/'))).toBe(true);
  expect(kept).toEqual(expect.arrayContaining([log, report]));
  for (const text of said) expectWithout(text, ...canaries);
  for (const path of kept) expectWithout(readFileSync(path, 'latin1'), ...canaries);
  // After the sign-out the secrets are not even in the file that kept them.
  if (existsSync(credentials)) expectWithout(readFileSync(credentials, 'utf8'), ...canaries);
  const asked = readFileSync(log, 'utf8');
  expect(asked).toContain('claude');
  expect(dirname(report)).toBe(temporary);
}, 60_000);
