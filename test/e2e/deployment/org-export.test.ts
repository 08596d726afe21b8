import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {describe, expect, test} from 'vitest';
import {temporaryDirectory} from '../../support/place.ts';
import {hasRoles} from '../../support/release.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {filesBelow} from '../support/files.ts';
import {platformForTest} from '../support/platform.ts';
import {jsonLines, lastLine, runSetup, surroundingsForTest} from '../support/run.ts';

const exported = async (...more: readonly string[]) => {
  const {ready, flags} = await platformForTest();
  const directory = join(await temporaryDirectory(), 'new', 'kit');
  const args = ['org', 'export', directory, ...flags, ...more];
  const run = (env = {}) => runSetup(args, {env});
  return {ready, directory, run};
};

describe('setup org export', () => {
  test('writes a kit that this program takes back', async () => {
    const {directory, ready, run} = await exported();
    const ended = await run();
    expect(ended).toMatchObject({code: 0, stderr: '', stdout: expect.stringContaining('Start with its README.md.')});
    const file = join(directory, 'platform-setup.json');
    const checked = await runSetup(['platform', 'check', file, '--base-domain', ready.baseDomain]);
    expect(checked, checked.stderr).toMatchObject({code: 0, stdout: expect.stringContaining(ready.controlPlaneUrl)});
    expect(existsSync(join(directory, 'platform/role-bindings.yaml'))).toBe(hasRoles);
    expect(readdirSync(dirname(directory))).toEqual(['kit']);
  });

  test('tells programs of each file', async () => {
    const {directory, run} = await exported('--json', '--groups', 'developers,operators=admin,developers');
    const {code, stdout} = await run();
    expect(code).toBe(0);
    const told = jsonLines(stdout).filter(({type}) => type === 'file');
    const there = filesBelow(directory).map(({path}) => relative(directory, join(directory, path)));
    expect(told.map(({path}) => path).toSorted()).toEqual(there.toSorted());
    expect(lastLine(stdout)).toEqual({type: 'done', directory, files: told.length});
  });

  test('is about the deployment that is saved', async () => {
    const {ready, flags} = await platformForTest();
    const surroundings = surroundingsForTest();
    const client = ready.clients.find(one => one.tokenEndpointAuthMethod === 'client_secret_post');
    const env = {CLI_CLIENT_ID: client?.clientId ?? '', CLI_CLIENT_SECRET: client?.clientSecret ?? ''};
    await runSetup(['login', '--client-credentials', ...flags], {surroundings, env});
    const directory = join(await temporaryDirectory(), 'kit');
    const ended = await runSetup(['org', 'export', directory], {surroundings, env});
    expect(ended).toMatchObject({code: 0, stderr: ''});
    const kit = filesBelow(directory).map(({path}) => readFileSync(join(directory, path), 'utf8'));
    expect(kit.join('\n')).toContain(ready.controlPlaneUrl);
    expect(kit.join('\n')).not.toContain(client?.clientSecret);
    // Flags take precedence over saved values.
    const without = join(await temporaryDirectory(), 'kit');
    const flagsWithout = flags.map((flag, index) => (flags[index - 1] === '--observer-url' ? 'none' : flag));
    expect(await runSetup(['org', 'export', without, ...flagsWithout], {surroundings, env})).toMatchObject({code: 0});
    expect(readFileSync(join(without, 'machines/servers/linux/etc/codex/config.toml'), 'utf8')).not.toMatch(/observab/);
  });

  test('has entries that tell a person who has not set up anything what to run', async () => {
    const {directory, run} = await exported();
    await run();
    const file = join(directory, 'machines/servers/linux/etc/claude-code/managed-mcp.json');
    const {mcpServers} = JSON.parse(readFileSync(file, 'utf8'));
    const [[, {args}]] = Object.entries<{args: readonly string[]}>(mcpServers) as [[string, {args: readonly string[]}]];
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'x', version: '1'}},
    };
    const {stdout} = await runSetup(args.slice(1), {stdin: `${JSON.stringify(message)}\n`});
    const {instructions} = JSON.parse(stdout).result;
    expect(instructions).toContain(`${launcher} --base-domain ${args[args.indexOf('--base-domain') + 1]} --context`);
  });
});

describe('setup org export writes nothing', () => {
  test('into a directory with something in it', async () => {
    const {directory, run} = await exported();
    await mkdir(directory, {recursive: true});
    expect(await run()).toMatchObject({code: 0});
    writeFileSync(join(directory, 'mine'), 'kept');
    const before = filesBelow(directory);
    expect(await run()).toMatchObject({code: 2, stderr: expect.stringContaining('is not empty. Nothing was written.')});
    expect(filesBelow(directory)).toEqual(before);
  });

  test('where a file is in the way', async () => {
    const {directory, run} = await exported();
    await mkdir(dirname(directory), {recursive: true});
    writeFileSync(directory, 'kept');
    expect(await run()).toMatchObject({code: 2, stderr: expect.stringContaining('is a file. Nothing')});
    expect(readFileSync(directory, 'utf8')).toBe('kept');
  });

  test('where no directory can be made, and says so', async () => {
    const {directory, run} = await exported();
    await mkdir(dirname(dirname(directory)), {recursive: true});
    writeFileSync(dirname(directory), 'a file');
    expect(await run()).toMatchObject({code: 6, stderr: expect.stringMatching(/was not written: \S/)});
  });

  test.each([
    [[], 'No directory was named'],
    [[''], 'No directory was named'],
    [['kit', '--groups', 'developers,'], '“” is not one.'],
    [['kit', '--groups', 'a=Not A Role'], '--groups takes names of groups'],
    [['kit', '--tools', 'some'], '--tools takes'],
    [['kit', '--registry-url', 'http://mcp.acme.example.com'], '--registry-url takes an address with https'],
    [
      ['kit', '--registry-url', 'https://ann:secret@mcp.acme.example.com'],
      '--registry-url takes an address with https',
    ],
  ])('for %j', async (args, sentence) => {
    const {home} = surroundingsForTest();
    const ended = await runSetup(['org', 'export', ...args]);
    expect(ended).toMatchObject({code: 2, stderr: expect.stringContaining(sentence)});
    expect(ended.stderr).not.toContain('secret');
    expect(filesBelow(home)).toEqual([]);
  });
});
