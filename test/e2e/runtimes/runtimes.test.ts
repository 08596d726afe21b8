import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {clientOf} from '../../support/platform.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';

const loading = (name: string) => ({NODE_OPTIONS: `--require ${fileURLToPath(new URL(name, import.meta.url))}`});

test('under Plug’n’Play files are written, and entries are started without its loader', async () => {
  const {ready, flags} = await platformForTest();
  const surroundings = surroundingsForTest();
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const project = surroundings.temporary;
  const args = ['--yes', '--sign-in', 'service-account', ...flags, '--client-id', clientId, '--client-secret-stdin'];
  const where = ['--project', project, '--assistants', 'generic', '--method', 'bridge', '--context', 'acme'];
  const run = await runSetup([...args, ...where], {surroundings, env: loading('pnp.cjs'), stdin: `${secret}\n`});
  expect(run).toMatchObject({code: 0, stderr: ''});
  expect(run.stdout).toMatch(/control plane \d+ tools/);
  expect(readFileSync(join(project, '.mcp.json'), 'utf8')).not.toMatch(/pnp\.cjs|NODE_OPTIONS/);
  expect(readFileSync(join(surroundings.home, 'loaded'), 'utf8')).toBe('--yes\n');
});

test('the demonstration finds its sandbox in an archive of Plug’n’Play, by its loader', async () => {
  const surroundings = surroundingsForTest();
  const run = await runSetup(['demo', '--yes'], {surroundings, env: loading('pnp.cjs')});
  expect(run).toMatchObject({code: 0, stderr: ''});
  const loaded = readFileSync(join(surroundings.home, 'loaded'), 'utf8').split('\n');
  expect(loaded).toEqual(['demo', 'sandbox', '']);
});

test('a runtime without a compile cache of Node’s starts the program', async () => {
  const env = {...loading('no-compile-cache.cjs'), NODE_COMPILE_CACHE: undefined};
  expect(await runSetup(['explain', 'bug'], {env})).toMatchObject({code: 0, stderr: ''});
});
