import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {describe, expect, inject, test} from 'vitest';
import {pathWith} from '../clients/support/install.ts';
import {runProgram} from '../clients/support/program.ts';
import {platformForTest} from '../e2e/support/platform.ts';
import {temporaryDirectory} from '../support/place.ts';
import {exported, initialize} from './support/kit.ts';

const has = (command: string) => spawnSync(command, ['--version'], {stdio: 'ignore'}).status === 0;
const missing = [
  ...(process.getuid?.() === 0 ? [] : ['root']),
  ...['ansible-playbook', 'unshare'].filter(command => !has(command)),
];

/**
 * Sets up a machine for a rollout: this one, in a mount namespace in which a playbook's changes go elsewhere. `/etc`
 * looks as it does here.
 */
const machine = async () => {
  const directory = await temporaryDirectory();
  for (const name of ['opt', 'bin', 'upper', 'work', 'home']) mkdirSync(join(directory, name));
  const mounts = [
    `mount --bind '${directory}/opt' /opt`,
    `mount --bind '${directory}/bin' /usr/local/bin`,
    `mount -t overlay overlay -o 'lowerdir=/etc,upperdir=${directory}/upper,workdir=${directory}/work' /etc`,
  ].join(' && ');
  const env = {HOME: join(directory, 'home'), PATH: pathWith(), LANG: 'C.UTF-8', ANSIBLE_NOCOLOR: '1'};
  const run = (command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runProgram('unshare', ['--mount', 'sh', '-c', `${mounts} && exec "$@"`, 'sh', command, ...args], {
      cwd: directory,
      env: {...env, ...more},
      timeout: 300_000,
    });
  return {directory, run, etc: (path: string) => join(directory, 'upper', path)};
};

type Machine = Awaited<ReturnType<typeof machine>>;

const play = async ({run}: Machine, kit: string, ...more: readonly string[]) => {
  const where = ['-i', 'localhost,', '-c', 'local'];
  const registry = ['-e', `platform_setup_registry=${inject('registry')}`];
  const ended = await run('ansible-playbook', [...where, ...registry, ...more, join(kit, 'ansible/playbook.yml')]);
  const [, ok, changed, failed] = /ok=(\d+) +changed=(\d+).* failed=(\d+)/.exec(ended.stdout) ?? [];
  return {...ended, ok: Number(ok), changed: Number(changed), failed: Number(failed)};
};

describe.skipIf(missing.length > 0)(
  `the playbook of an organisation kit${missing.length > 0 ? `, left out: no ${missing.join(', ')}` : ''}`,
  () => {
    test('installs the program and what tells assistants of it; a second run changes nothing', async () => {
      const kit = await exported((await platformForTest()).flags);
      const here = await machine();
      const first = await play(here, kit);
      expect(first, first.stdout).toMatchObject({code: 0, failed: 0});
      const again = await play(here, kit);
      expect(again, again.stdout).toMatchObject({code: 0, changed: 0, failed: 0});

      const placed = 'claude-code/managed-mcp.json';
      expect(readFileSync(here.etc(placed), 'utf8')).toBe(
        readFileSync(join(kit, 'machines/servers/linux/etc', placed), 'utf8'),
      );
      // As a client starts it: by its absolute path, with an almost empty environment.
      const {mcpServers} = JSON.parse(readFileSync(here.etc(placed), 'utf8'));
      const [entry] = Object.values<{command: string; args: string[]}>(mcpServers);
      const input = join(here.directory, 'input');
      writeFileSync(input, `${JSON.stringify(initialize)}\n`);
      const words = [entry?.command ?? '', ...(entry?.args ?? [])];
      const bridge = await here.run('sh', ['-c', `exec "$@" <'${input}'`, 'sh', ...words], {PATH: '/usr/bin:/bin'});
      expect(JSON.parse(bridge.stdout).result.instructions).toContain('/opt/platform-setup/');

      const version = await here.run('/usr/local/bin/platform-setup', ['--version'], {PATH: '/usr/bin:/bin'});
      expect(version).toMatchObject({code: 0, stderr: ''});
    });

    test('can leave people to connect the servers, or install the program alone', async () => {
      const kit = await exported((await platformForTest()).flags);
      const here = await machine();
      expect(await play(here, kit, '-e', 'platform_setup_handling=allow-list')).toMatchObject({code: 0});
      const placed = here.etc('claude-code/managed-settings.d/platform-setup.json');
      expect(JSON.parse(readFileSync(placed, 'utf8')).allowedMcpServers.length).toBeGreaterThan(0);
      expect(() => readFileSync(join(dirname(dirname(placed)), 'managed-mcp.json'))).toThrow('ENOENT');

      // From one handling to the other and back: files of the first are removed, unless they have changed.
      const given = here.etc('claude-code/managed-mcp.json');
      expect(await play(here, kit)).toMatchObject({code: 0, failed: 0});
      expect(() => readFileSync(placed)).toThrow('ENOENT');
      expect(readFileSync(given, 'utf8')).toContain('mcpServers');
      writeFileSync(given, '{"mcpServers": {}}\n');
      expect(await play(here, kit, '-e', 'platform_setup_handling=allow-list')).toMatchObject({code: 0, failed: 0});
      expect(readFileSync(given, 'utf8')).toBe('{"mcpServers": {}}\n');
      expect(readFileSync(placed, 'utf8')).toContain('allowedMcpServers');

      // Without a handling: files that block other servers are removed, except the one that was changed.
      expect(await play(here, kit, '-e', 'platform_setup_handling=')).toMatchObject({code: 0, failed: 0});
      const placedBefore = ['servers', 'allow-list'].flatMap(handling => {
        const below = join(kit, 'machines', handling, 'linux/etc');
        return readdirSync(below, {recursive: true, withFileTypes: true}).flatMap(one =>
          one.isFile() ? [relative(below, join(one.parentPath, one.name))] : [],
        );
      });
      expect(placedBefore.length).toBeGreaterThan(3);
      expect(placedBefore.map(path => here.etc(path)).filter(path => path !== given && existsSync(path))).toEqual([]);
      expect(readFileSync(given, 'utf8')).toBe('{"mcpServers": {}}\n');

      const bare = await machine();
      expect(await play(bare, kit, '-e', 'platform_setup_handling=')).toMatchObject({code: 0});
      expect(() => readFileSync(bare.etc('claude-code/managed-settings.d/platform-setup.json'))).toThrow('ENOENT');
      expect(await bare.run('/usr/local/bin/platform-setup', ['--version'])).toMatchObject({code: 0});
    });
  },
);
