import {describe, expect, test} from 'vitest';
import {ownCommand, startsOf} from '../../src/command-line/find-own-command.ts';

const env = {HOME: '/home/ann'};
const flags = {};
/** A Node that will not move. */
const node = '/usr/bin/node';
const copy = '/home/ann/.local/share/platform-setup/0.0.0';

test('what stays is started where it is', () => {
  const program = '/usr/local/lib/node_modules/platform-setup/bin/setup.js';
  expect(ownCommand({env, program, flags}, {node})).toEqual({command: node, args: [program]});
});

test('an entry allows plain http to other machines only: this one needs no permission', () => {
  const program = '/usr/local/lib/node_modules/platform-setup/bin/setup.js';
  const allowing = (hosts: string) => ownCommand({env, program, flags: {'allow-http': hosts}}, {node}).allowHttp;
  expect(allowing('platform.localhost,127.0.0.1')).toBeUndefined();
  expect(allowing('localhost, 10.0.0.7,Lab.Acme.Example')).toBe('10.0.0.7,lab.acme.example');
});

test.each([
  '/home/ann/.npm/_npx/1a2b/node_modules/platform-setup',
  '/home/ann/.cache/pnpm/dlx/1a2b/3c/node_modules/.pnpm/platform-setup@0.0.0/node_modules/platform-setup',
  '/home/ann/.local/share/pnpm/store/v3/tmp/dlx-4711/node_modules/platform-setup',
  '/tmp/xfs-1a2b/dlx-4711/node_modules/platform-setup',
  '/tmp/bunx-1000-platform-setup@latest/node_modules/platform-setup',
  '/home/ann/.cache/deno/npm/registry.example/platform-setup/0.0.0',
])('what was fetched for one run is copied: %s', from => {
  expect(ownCommand({env, program: `${from}/bin/setup.js`, flags}, {node})).toEqual({
    command: node,
    args: [`${copy}/bin/setup.js`],
    copy: {from, to: copy},
  });
});

test('a directory that is only called so is none of a runner’s', () => {
  const program = '/home/ann/dlxs/my_npx/platform-setup/bin/setup.js';
  expect(ownCommand({env, program, flags}, {node}).copy).toBeUndefined();
});

test('a copy is below the home that this run has', () => {
  const program = '/home/ann/.npm/_npx/1a2b/node_modules/platform-setup/bin/setup.js';
  const to = (more: object) => ownCommand({env: {...env, ...more}, program, flags}, {node}).copy?.to;
  expect(to({SETUP_HOME: '/srv/acme'})).toBe('/srv/acme/programs/0.0.0');
  expect(to({XDG_DATA_HOME: '/data'})).toBe('/data/platform-setup/0.0.0');
});

test('Bun and Deno are told how to run it, in the copy too', () => {
  const from = '/home/ann/.cache/deno/npm/registry.example/platform-setup/0.0.0';
  const program = `${from}/bin/setup.js`;
  const deno = {node: '/home/ann/.deno/bin/deno', versions: {deno: '2.9.6'}};
  expect(ownCommand({env, program, flags}, deno)).toEqual({
    command: '/home/ann/.deno/bin/deno',
    args: ['run', '-A', `${copy}/bin/setup.js`],
    copy: {from, to: copy},
  });
  const bun = {node: '/project/node_modules/bun/bin/bun', versions: {bun: '1.4.5'}};
  const byBun = ownCommand({env, program, flags}, bun);
  expect(byBun.command).toBe(`${copy}/bin/bun`);
  expect(byBun.args).toContain(`--config=${copy}/bin/bunfig.toml`);
  expect(byBun.args.at(-1)).toBe(`${copy}/bin/setup.js`);
});

test('a Node that goes with an upgrade is copied along, where no other name leads to it', () => {
  const program = '/usr/local/lib/node_modules/platform-setup/bin/setup.js';
  const running = '/home/ann/.nvm/versions/node/v24.1.0/bin/node';
  const resolve = (path: string) => (path === '/usr/local/bin/node' ? running : path);
  expect(ownCommand({env, program, flags}, {node: running, resolve})).toEqual({
    command: `${copy}/bin/node`,
    args: [`${copy}/bin/setup.js`],
    copy: {from: '/usr/local/lib/node_modules/platform-setup', to: copy, node: running},
  });
  const linked = {...env, PATH: '/usr/local/bin'};
  expect(ownCommand({env: linked, program, flags}, {node: running, resolve})).toEqual({
    command: '/usr/local/bin/node',
    args: [program],
  });
});

describe('an older copy may be started', () => {
  const program = '/home/ann/.npm/_npx/1a2b/node_modules/platform-setup/bin/setup.js';
  const older = '/home/ann/.local/share/platform-setup/0.0.9';
  const starts = (more: object, running = {node, versions: {}}) =>
    startsOf({env: {...env, ...more}, program}, running)(older);
  const commands = (more: object) => starts(more).map(({command}) => command);

  test('by what lies in it, by what is on PATH and by what runs, each told in its own words', () => {
    const found = starts({PATH: '/opt/bin'}, {node: '/usr/local/bin/deno', versions: {deno: '2.9.6'}});
    const launcher = `${older}/bin/setup.js`;
    const byNode = ['/opt/bin/node', `${older}/bin/node`].map(command => ({command, args: [launcher]}));
    const byDeno = ['/usr/local/bin/deno', '/opt/bin/deno', `${older}/bin/deno`].map(command => ({
      ...{command, args: ['run', '-A', launcher]},
    }));
    const byBun = ['/opt/bin/bun', `${older}/bin/bun`].map(command => ({
      ...{command, args: expect.arrayContaining([`--config=${older}/bin/bunfig.toml`, launcher])},
    }));
    expect(found).toEqual(expect.arrayContaining([...byNode, ...byDeno, ...byBun]));
    expect(found).toHaveLength(7);
  });

  test('by no program of the working directory, nor one that goes with its version or its project', () => {
    const here = process.cwd();
    const gone = [
      ...['', '.', 'bin', `${here}/node_modules/.bin`, '/work/acme/node_modules/.bin'],
      ...['/home/ann/.nvm/versions/node/v24.1.0/bin', '/home/ann/.npm/_npx/1a2b/node_modules/.bin'],
    ];
    expect(commands({PATH: [...gone, '/opt/bin'].join(':')})).toEqual(commands({PATH: '/opt/bin'}));
    expect(commands({PATH: ''}).toSorted()).toEqual([
      ...['bun', 'deno', 'node'].map(name => `${older}/bin/${name}`),
      node,
    ]);
  });
});
