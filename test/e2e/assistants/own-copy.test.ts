import {existsSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {copyProgram} from '../../support/built-program.ts';
import {clientOf} from '../../support/platform.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {startBridge} from '../support/bridge.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';

const ownVersion: string = JSON.parse(readFileSync(join(dirname(dirname(launcher)), 'package.json'), 'utf8')).version;

/** Copies the program to where npx keeps it for one run, as `version` if given. */
const fetchedIn = (directory: string, version?: string) => {
  const cache = join(directory, '.npm', '_npx', version ?? '1a2b');
  const from = join(cache, 'node_modules', 'platform-setup');
  copyProgram(from, version);
  return {cache, program: join(from, 'bin', 'setup.js')};
};

test('entries outlive the cache that the program was fetched into', async () => {
  const {ready, flags} = await platformForTest();
  const surroundings = surroundingsForTest();
  const {cache, program} = fetchedIn(surroundings.home);
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const project = surroundings.temporary;
  const args = ['--yes', '--sign-in', 'service-account', ...flags, '--client-id', clientId, '--client-secret-stdin'];
  const where = ['--project', project, '--assistants', 'generic', '--method', 'bridge', '--context', 'acme'];
  const run = await runSetup([...args, ...where], {surroundings, program, stdin: `${secret}\n`});
  expect(run).toMatchObject({code: 0, stderr: ''});

  const written = readFileSync(join(project, '.mcp.json'), 'utf8');
  expect(written).not.toMatch(/npx/);
  const [entry] = Object.values<{command: string; args: readonly string[]}>(JSON.parse(written).mcpServers);
  const [copied = '', ...words] = entry?.args ?? [];
  // The Node that runs these tests is a package of the checkout, so it is copied as well.
  expect(entry?.command).toBe(join(dirname(copied), 'node'));
  expect(copied).toMatch(/\/programs\/[^/]+\/bin\/setup\.js$/);
  expect(copied.startsWith(surroundings.setupHome)).toBe(true);
  expect(statSync(dirname(dirname(copied))).mode & 0o022).toBe(0);
  expect(run.stdout).toMatch(/^Written: ~\/setup\/programs\/[^/]+$/m);

  rmSync(cache, {recursive: true});
  const bridge = startBridge(words.slice(2), surroundings, copied);
  expect(await bridge.initialize()).toHaveProperty('result.serverInfo');
  const {result} = await bridge.request('tools/list');
  expect(result.tools.length).toBeGreaterThan(3);
  // A newer version renews the entries with the next sign-in. The older copy stays for processes that still run it.
  const newer = fetchedIn(surroundings.home, '99.1.0').program;
  const login = ['login', '--client-secret-stdin', '--context', 'acme'];
  expect(await runSetup(login, {surroundings, program: newer, stdin: `${secret}\n`})).toMatchObject({code: 0});
  expect(readFileSync(join(project, '.mcp.json'), 'utf8')).toContain('/programs/99.1.0/bin/setup.js');
  expect(readdirSync(join(surroundings.setupHome, 'programs')).toSorted()).toEqual([ownVersion, '99.1.0']);
  rmSync(dirname(dirname(newer)), {recursive: true});
  // The version that wrote the entries, another version and a checkout all start them and find them in order.
  for (const asking of [copied.replace(ownVersion, '99.1.0'), copied, launcher]) {
    const doctor = await runSetup(['doctor', '--json', '--project', project], {surroundings, program: asking});
    expect(doctor.stdout).not.toMatch(/"verdict":"fail"/);
    const ofEntries = doctor.stdout
      .split('\n')
      .flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
      .find(({id}) => id === 'assistant-generic-project');
    expect(ofEntries).toMatchObject({verdict: 'pass', saw: expect.stringContaining('control-plane')});
    const isOfAnother = !asking.includes('99.1.0');
    expect(ofEntries.saw.endsWith(`; starts platform-setup 99.1.0 (this is ${ownVersion})`)).toBe(isOfAnother);
  }

  // The copy that the entries name is deleted. Every command says so, and the diagnosis repairs it.
  const gone = join(surroundings.setupHome, 'programs', '99.1.0');
  rmSync(gone, {recursive: true});
  const here = {surroundings, program: fetchedIn(surroundings.home).program};
  expect((await runSetup(['status'], here)).stdout).toMatch(
    /broken: .*99\.1\.0.* no longer exists\. Fix: npx setup doctor --fix/,
  );
  expect((await runSetup(['mcp', 'list'], here)).stdout).toMatch(/99\.1\.0.* no longer exists/);
  const broken = await runSetup(['doctor', '--project', project], here);
  expect(broken).toMatchObject({
    code: 6,
    stdout: expect.stringMatching(/✖ Entries of MCP JSON: .*99\.1\.0.*which no longer exists/),
  });
  await runSetup(['doctor', '--fix', '--yes', '--project', project], here);
  expect(readFileSync(join(project, '.mcp.json'), 'utf8')).toContain(`/programs/${ownVersion}/bin/setup.js`);
  expect((await runSetup(['status'], here)).stdout).not.toContain('broken');
});

test('where no entry starts it, nothing is copied', async () => {
  const {ready, flags} = await platformForTest();
  const surroundings = surroundingsForTest();
  const {program} = fetchedIn(surroundings.home);
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const args = ['--yes', '--sign-in', 'service-account', ...flags, '--client-id', clientId, '--client-secret-stdin'];
  const where = ['--project', surroundings.temporary, '--assistants', 'generic', '--method', 'header'];
  const run = await runSetup([...args, ...where], {surroundings, program, stdin: `${secret}\n`});
  expect(run).toMatchObject({code: 0});
  expect(existsSync(join(surroundings.setupHome, 'programs'))).toBe(false);
});
