import {describe, expect, test} from 'vitest';
import {isLasting, lastingNode} from '../../../src/ports/processes/find-program.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

describe('a program', () => {
  test.each([
    '/usr/bin/node',
    '/opt/homebrew/bin/node',
    '/home/ann/.volta/bin/node',
    '/usr/local/lib/node_modules/platform-setup/bin/setup.js',
    '/home/ann/.local/share/pnpm/global/5/node_modules/platform-setup/bin/setup.js',
    '/home/ann/.bun/install/global/node_modules/platform-setup/bin/setup.js',
    'C:\\Program Files\\nodejs\\node.exe',
    'C:\\Users\\ann\\AppData\\Roaming\\npm\\node_modules\\platform-setup\\bin\\setup.js',
    '/home/ann/src/platform-setup/bin/setup.js',
    '/home/ann/dlxs/my_npx/platform-setup/bin/setup.js',
    '/home/ann/.bun/bin/bun',
    '/home/ann/.deno/bin/deno',
    '/snap/node/current/bin/node',
  ])('stays: %s', path => {
    expect(isLasting(path)).toBe(true);
  });

  test.each([
    '/home/ann/.npm/_npx/1a2b/node_modules/.bin/setup',
    '/home/ann/.npm/_npx/1a2b/node_modules/node/bin/node',
    '/tmp/bunx-1000-platform-setup@latest/node_modules/platform-setup/bin/setup.js',
    '/home/ann/project/node_modules/platform-setup/bin/setup.js',
    '/home/ann/project/node_modules/node/bin/node',
    '/home/ann/.nvm/versions/node/v24.1.0/bin/node',
    '/home/ann/.nvm/versions/node/v24.1.0/lib/node_modules/platform-setup/bin/setup.js',
    '/usr/local/share/nvm/versions/node/v22.19.0/bin/node',
    '/opt/homebrew/Cellar/node/24.1.0/bin/node',
    '/run/user/1000/fnm_multishells/4711_1/bin/node',
    '/home/ann/.local/share/fnm/node-versions/v24.1.0/installation/bin/node',
    '/home/ann/.volta/tools/image/node/24.1.0/bin/node',
    '/home/ann/.asdf/installs/nodejs/24.1.0/bin/node',
    '/home/ann/.local/share/mise/installs/node/24.1.0/bin/node',
    '/usr/local/n/versions/node/24.1.0/bin/node',
    '/home/ann/.nodenv/versions/24.1.0/bin/node',
    '/nix/store/1a2b-nodejs-24.1.0/bin/node',
    'C:\\Users\\ann\\AppData\\Roaming\\nvm\\v24.1.0\\node.exe',
    '/deno-dir/npm/registry.example/platform-setup/1.2.3/bin/setup.js',
    '/home/ann/.cache/deno/deno_x_cache/npm-platform-setup/node_modules/platform-setup/bin/setup.js',
    '/home/ann/.yarn/berry/cache/platform-setup-npm-1.2.3-1a2b.zip/node_modules/platform-setup/bin/setup.js',
    '/home/ann/.nodebrew/node/v24.1.0/bin/node',
    '/home/ann/.nvs/node/24.1.0/x64/bin/node',
    '/home/ann/.proto/tools/bun/1.4.5/bun',
    '/home/ann/.version-fox/cache/nodejs/v-24.1.0/nodejs-24.1.0/bin/node',
    '/home/ann/.local/share/pnpm/nodejs/24.1.0/bin/node',
    '/snap/node/9213/bin/node',
    '/gnu/store/1a2b-node-24.1.0/bin/node',
  ])('goes with a cache, a project or an upgrade: %s', path => {
    expect(isLasting(path)).toBe(false);
  });
});

describe('the Node that entries name', () => {
  const cellar = '/opt/homebrew/Cellar/node/24.1.0/bin/node';
  const links: Readonly<Record<string, string>> = {
    '/opt/homebrew/bin/node': cellar,
    '/home/ann/.nvm/current/bin/node': '/home/ann/.nvm/versions/node/v24.1.0/bin/node',
  };
  const resolve = (path: string) => {
    if (path === '/missing/node') throw new Error('ENOENT');
    return links[path] ?? path;
  };
  const program = '/home/ann/src/platform-setup/bin/setup.js';
  const nodeFor = (node: string, PATH: string) => lastingNode(node, {env: {PATH}, program, resolve});

  test('is the one that runs, where that stays', () => {
    expect(nodeFor('/usr/bin/node', '/opt/homebrew/bin')).toBe('/usr/bin/node');
  });

  onUnix('is the link on PATH that follows an upgrade', () => {
    expect(nodeFor(cellar, '/missing:/usr/bin:/opt/homebrew/bin')).toBe('/opt/homebrew/bin/node');
  });

  test('is a checkout’s own, in whichever capitals Windows has its directory', () => {
    const node = 'C:\\Src\\setup\\node_modules\\node\\bin\\node.exe';
    const names = {env: {PATH: ''}, program: 'C:/Src/setup/bin/setup.js'};
    // The path is joined as on this system, which leaves the slashes of the other one unchanged.
    expect(lastingNode(node, {...names, program: 'c:/src/SETUP/bin/setup.js'})).toBe(node);
    expect(lastingNode(node.replace('setup', 'setup2'), names)).toBeUndefined();
  });

  test('is none that leads to another, is of one version itself, or stands in the working directory', () => {
    expect(nodeFor(cellar, '/usr/bin')).toBeUndefined();
    expect(nodeFor(cellar, '/opt/homebrew/Cellar/node/24.1.0/bin')).toBeUndefined();
    expect(nodeFor(cellar, ':.:bin')).toBeUndefined();
    expect(lastingNode(cellar, {env: {}, program, resolve})).toBeUndefined();
  });

  onUnix('is a checkout’s own, for the program of that checkout alone', () => {
    const own = '/home/ann/src/platform-setup/node_modules/node/bin/node';
    expect(nodeFor(own, '')).toBe(own);
    expect(nodeFor('/home/ann/other/node_modules/node/bin/node', '')).toBeUndefined();
  });
});
