import {mkdir, realpath, symlink, writeFile} from 'node:fs/promises';
import {delimiter, dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Started, setupCommand} from '../src/setup-command.ts';
import {temporaryDirectory} from './support/place.ts';
import {onUnix} from './support/systems/on-unix.ts';

/** Sets up a machine with the launcher at this path below a directory, and returns how it was started there. */
const machine = async (path: string, more: Partial<Started> = {}) => {
  const directory = await realpath(await temporaryDirectory());
  const launcher = join(directory, path);
  await mkdir(dirname(launcher), {recursive: true});
  await writeFile(launcher, '');
  const runtime = join(directory, 'node/bin/node');
  await mkdir(dirname(runtime), {recursive: true});
  await writeFile(runtime, '');
  const started: Started = {
    ...{launcher, runtime, cwd: directory, env: {PATH: ''}, versions: {node: '24.0.0'}, platform: 'linux'},
    ...more,
  };
  return {directory, launcher, runtime, started};
};

const agent = (name: string) => ({PATH: '', npm_config_user_agent: `${name}/1.2.3 node/v24.0.0 linux x64`});

describe('the command that starts this program again', () => {
  test('is the one that a wrapper says', async () => {
    const {started} = await machine('package/bin/setup.js', {env: {SETUP_COMMAND: 'acme setup'}});
    expect(setupCommand(started)).toBe('acme setup');
  });

  test('is npx setup in the checkout, and nowhere else', async () => {
    const {started, directory} = await machine('checkout/bin/setup.js');
    expect(setupCommand({...started, cwd: join(directory, 'checkout')})).toBe('npx setup');
    await mkdir(join(directory, 'checkout/docs'));
    expect(setupCommand({...started, cwd: join(directory, 'checkout/docs')})).toBe('npx setup');
    expect(setupCommand(started)).not.toContain('npx');
  });

  test.each([
    ['npm/_npx/1a2b/node_modules/platform-setup/bin/setup.js', {}, 'npx platform-setup'],
    ['cache/pnpm/dlx/1a2b/node_modules/platform-setup/bin/setup.js', agent('pnpm'), 'pnpm dlx platform-setup'],
    ['tmp/xfs-1/dlx-77/node_modules/platform-setup/bin/setup.js', agent('yarn'), 'yarn dlx platform-setup'],
    ['tmp/bunx-0-platform-setup/node_modules/platform-setup/bin/setup.js', agent('bun'), 'bunx platform-setup'],
    [
      '.bun/install/cache/.bunx-0/platform-setup@latest/node_modules/platform-setup/bin/setup.js',
      agent('bun'),
      'bunx platform-setup',
    ],
  ])('is that of the runner which fetched %s', async (path, env, command) => {
    const {started} = await machine(path, {env: {PATH: '', ...env}});
    expect(setupCommand(started)).toBe(command);
  });

  test.each([
    [{packages: ['platform-setup@1.2.3']}, 'npx platform-setup@1.2.3'],
    [{packages: ['platform-setup@latest']}, 'npx platform-setup@latest'],
    [{packages: ['/srv/platform-setup-1.2.3.tgz']}, 'npx --package=/srv/platform-setup-1.2.3.tgz platform-setup'],
    [{packages: ['/srv/a b.tgz']}, "npx --package='/srv/a b.tgz' platform-setup"],
    [{packages: ['node@24', 'platform-setup']}, 'npx --package=node@24 --package=platform-setup platform-setup'],
    [{packages: 7}, 'npx platform-setup'],
    [undefined, 'npx platform-setup'],
  ])('names what npx was asked for: %j', async (_npx, command) => {
    const {started, directory} = await machine('npm/_npx/1a2b/node_modules/platform-setup/bin/setup.js');
    await writeFile(join(directory, 'npm/_npx/1a2b/package.json'), JSON.stringify({_npx}));
    if (process.platform !== 'win32') expect(setupCommand(started)).toBe(command);
  });

  onUnix('is that of the README in the checkout, also where npx has linked that into its cache', async () => {
    const {started, directory, launcher} = await machine('checkout/bin/setup.js');
    const link = join(directory, 'npm/_npx/1a2b/node_modules/platform-setup');
    await mkdir(dirname(link), {recursive: true});
    await symlink(dirname(dirname(launcher)), link);
    const _npx = {packages: [dirname(dirname(launcher))]};
    await writeFile(join(directory, 'npm/_npx/1a2b/package.json'), JSON.stringify({_npx}));
    const linked = {...started, launcher: join(link, 'bin/setup.js')};
    expect(setupCommand({...linked, cwd: dirname(launcher)})).toBe('npx setup');
    expect(setupCommand({...linked, cwd: directory})).toMatch(/^npx --package=\S+checkout platform-setup$/);
  });

  onUnix('is that of pnpm dlx, where the package itself is in a store', async () => {
    const {started, directory, launcher} = await machine('store/links/x/node_modules/platform-setup/bin/setup.js');
    const link = join(directory, 'pnpm/dlx/1a2b/node_modules/platform-setup');
    await mkdir(dirname(link), {recursive: true});
    await symlink(dirname(dirname(launcher)), link);
    const env = agent('pnpm');
    expect(setupCommand({...started, launcher: join(link, 'bin/setup.js'), env})).toBe('pnpm dlx platform-setup');
  });

  test.each([
    ['npm', 'npx platform-setup'],
    ['pnpm', 'pnpm exec platform-setup'],
    ['yarn', 'yarn platform-setup'],
    ['bun', 'bunx platform-setup'],
  ])('is that of the project’s manager, where it is a package of the project: %s', async (manager, command) => {
    const {started} = await machine('node_modules/platform-setup/bin/setup.js', {env: agent(manager)});
    expect(setupCommand(started)).toBe(command);
    expect(setupCommand({...started, env: {PATH: ''}})).toBe('npx platform-setup');
  });

  test('is that of Deno', async () => {
    const versions = {node: '24.0.0', deno: '2.9.0'};
    const fetched = await machine('deno/npm/registry/platform-setup/1.0.0/bin/setup.js', {versions});
    expect(setupCommand(fetched.started)).toBe('deno run -A npm:platform-setup');
    const installed = await machine('node_modules/platform-setup/bin/setup.js', {versions});
    expect(setupCommand(installed.started)).toBe('deno run -A npm:platform-setup');
  });

  onUnix('is its name, where that leads to this very program', async () => {
    const {started, directory, launcher} = await machine('lib/node_modules/platform-setup/bin/setup.js');
    const bin = join(directory, 'bin');
    await mkdir(bin);
    await symlink(launcher, join(bin, 'platform-setup'));
    expect(setupCommand({...started, cwd: '/', env: {PATH: [bin, '/usr/bin'].join(delimiter)}})).toBe('platform-setup');
    const other = await machine('lib/node_modules/platform-setup/bin/setup.js');
    expect(setupCommand({...other.started, cwd: '/', env: {PATH: bin}})).toBe(`${other.runtime} ${other.launcher}`);
  });

  onUnix('does not count on what npx has put on PATH for one run', async () => {
    const {started, directory, launcher} = await machine('elsewhere/bin/setup.js');
    const bin = join(directory, 'node_modules/.bin');
    await mkdir(bin, {recursive: true});
    await symlink(launcher, join(bin, 'platform-setup'));
    expect(setupCommand({...started, env: {PATH: bin}})).toContain('setup.js');
  });

  onUnix('is its path with the Node that runs it, quoted where that is needed', async () => {
    const {started, launcher, runtime, directory} = await machine('a b/bin/setup.js');
    expect(setupCommand(started)).toBe(`${runtime} '${launcher}'`);
    expect(setupCommand({...started, env: {PATH: join(directory, 'node/bin')}})).toBe(`node '${launcher}'`);
    const bun = {...started, versions: {node: '24.0.0', bun: '1.4.0'}};
    expect(setupCommand({...bun, env: {PATH: join(directory, 'node/bin')}})).toBe(`${runtime} '${launcher}'`);
  });

  test('is that of the checkout for what is no launcher, such as a test', async () => {
    const {started} = await machine('node_modules/vitest/dist/workers.js');
    expect(setupCommand(started)).toBe('npx setup');
  });
});
