import {mkdir, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {createOwnCopies} from '../../src/store/own-copies.ts';
import {temporaryDirectory} from '../support/place.ts';
import {onUnix} from '../support/systems/on-unix.ts';

const keyring = JSON.stringify({
  ...{name: '@napi-rs/keyring', main: 'index.js'},
  optionalDependencies: {'@napi-rs/keyring-linux-x64-gnu': '1.0.0', '@napi-rs/keyring-darwin-arm64': '1.0.0'},
});
const native = JSON.stringify({name: '@napi-rs/keyring-linux-x64-gnu', main: 'keyring.node'});

const put = async (path: string, text: string) => {
  await mkdir(dirname(path), {recursive: true});
  await writeFile(path, text);
};

/** Creates a program as a runner has fetched it, and returns the directory for its copies. */
const fetched = async () => {
  const directory = await temporaryDirectory();
  const from = join(directory, '_npx', '1', 'node_modules', 'platform-setup');
  await put(join(from, 'bin', 'setup.js'), 'launcher');
  await put(join(from, 'dist', 'deep', 'chunk.js'), 'chunk');
  await put(join(from, 'package.json'), '{"name": "platform-setup"}');
  await put(join(from, 'README.md'), 'no part of it');
  const programs = join(directory, 'share', 'platform-setup');
  return {directory, from, programs, to: join(programs, '1.2.3'), copies: createOwnCopies(programs)};
};

const filesIn = async (directory: string) =>
  (await readdir(directory, {recursive: true, withFileTypes: true}))
    .filter(entry => entry.isFile())
    .map(({parentPath, name}) =>
      join(parentPath, name)
        .slice(directory.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();

test('a copy has what the program runs by, and nothing else', async () => {
  const {from, to, copies} = await fetched();
  expect(await copies.has({from, to})).toBe(false);
  await copies.make({from, to});
  expect(await copies.has({from, to})).toBe(true);
  expect(await filesIn(to)).toEqual(['bin/setup.js', 'copy.json', 'dist/deep/chunk.js', 'package.json']);
  expect(await readFile(join(to, 'dist', 'deep', 'chunk.js'), 'utf8')).toBe('chunk');
});

test('a copy of a checkout has the build that runs, and none of the others', async () => {
  const {from, to, copies} = await fetched();
  const [current, other] = ['0123456789abcdef', 'fedcba9876543210'];
  await put(join(from, 'dist', 'current'), current);
  await put(join(from, 'dist', '.npmignore'), '/*');
  for (const build of [current, other, `${other}.17.new`]) await put(join(from, 'dist', build, 'cli.js'), build);
  await copies.make({from, to});
  const own = (await filesIn(to)).filter(name => name.startsWith('dist'));
  expect(own).toEqual([`dist/${current}/cli.js`, 'dist/current', 'dist/deep/chunk.js']);
  expect(await copies.has({from, to})).toBe(true);
});

test('it brings the library of the keychain, and what that has for this system', async () => {
  const {directory, from, to, copies} = await fetched();
  const scope = join(directory, '_npx', '1', 'node_modules', '@napi-rs');
  await put(join(scope, 'keyring', 'package.json'), keyring);
  await put(join(scope, 'keyring', 'index.js'), '');
  await put(join(scope, 'keyring-linux-x64-gnu', 'package.json'), native);
  await put(join(scope, 'keyring-linux-x64-gnu', 'keyring.node'), 'native');
  await put(join(scope, 'another', 'index.js'), '');
  await copies.make({from, to});
  const own = (await filesIn(to)).filter(name => name.startsWith('node_modules'));
  expect(own).toEqual([
    'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.node',
    'node_modules/@napi-rs/keyring-linux-x64-gnu/package.json',
    'node_modules/@napi-rs/keyring/index.js',
    'node_modules/@napi-rs/keyring/package.json',
  ]);
});

onUnix('it brings them from wherever a runner keeps them, each in a place of its own', async () => {
  const {directory, from, to, copies} = await fetched();
  const store = join(directory, 'store', 'key-1.0.0');
  await put(join(store, 'package.json'), keyring);
  await put(join(store, 'lib', 'index.js'), '');
  await put(join(store, 'lib', 'package.json'), '{"type": "commonjs"}');
  await put(join(store, 'node_modules', '@napi-rs', 'keyring-linux-x64-gnu', 'package.json'), native);
  await put(join(store, 'node_modules', '@napi-rs', 'keyring-linux-x64-gnu', 'keyring.node'), 'native');
  await writeFile(join(store, 'package.json'), keyring.replace('index.js', 'lib/index.js'));
  await mkdir(join(from, 'node_modules', '@napi-rs'), {recursive: true});
  await symlink(store, join(from, 'node_modules', '@napi-rs', 'keyring'));
  await copies.make({from, to});
  const own = (await filesIn(to)).filter(name => name.startsWith('node_modules'));
  expect(own).toContain('node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.node');
  expect(own).toContain('node_modules/@napi-rs/keyring/lib/index.js');
});

test('it brings Node where that goes as well', async () => {
  const {directory, from, to, copies} = await fetched();
  const node = join(directory, '_npx', '2', 'bin', 'node');
  await put(node, 'a hundred megabytes');
  await copies.make({from, to, node});
  await rm(join(directory, '_npx', '2'), {recursive: true});
  expect(await readFile(join(to, 'bin', 'node'), 'utf8')).toBe('a hundred megabytes');
});

test.each<[string, (to: string) => Promise<void>]>([
  ['another byte', to => writeFile(join(to, 'dist', 'deep', 'chunk.js'), 'evil!')],
  ['a file missing', to => rm(join(to, 'bin', 'setup.js'))],
  ['no list of its files', to => rm(join(to, 'copy.json'))],
  ['a list that names another', to => writeFile(join(to, 'copy.json'), '{"version":1,"files":{"bin/setup.js":"0"}}')],
])('one with %s is made anew', async (_what, spoil) => {
  const {from, to, copies} = await fetched();
  await copies.make({from, to});
  await spoil(to);
  expect(await copies.has({from, to})).toBe(false);
  await copies.make({from, to});
  expect(await copies.has({from, to})).toBe(true);
  expect(await readdir(dirname(to))).toEqual(['1.2.3']);
});

test('where it cannot be made nothing is left, and the place is named', async () => {
  const {from, to, programs, copies} = await fetched();
  await put(programs, 'a file in the way');
  await expect(copies.make({from, to})).rejects.toMatchObject({
    code: 'local-write-failed',
    message: expect.stringContaining(to),
  });
  expect(await readFile(programs, 'utf8')).toBe('a file in the way');
});

test('what a killed process has left goes, and what a living one makes stays', async () => {
  const {from, to, programs, copies} = await fetched();
  const living = join(programs, `9.9.9.${process.ppid}.new`);
  await put(join(programs, '1.0.0.4194304.new', 'copy.json'), '{}');
  await put(join(living, 'copy.json'), '{}');
  await copies.make({from, to});
  expect((await readdir(programs)).toSorted()).toEqual(['1.2.3', `9.9.9.${process.ppid}.new`]);
  expect((await copies.list()).map(({directory}) => directory)).toEqual([to]);
});

test('all copies are known, with the time since when nothing names them', async () => {
  const {from, to, programs, copies} = await fetched();
  expect(await copies.list()).toEqual([]);
  await copies.make({from, to});
  await put(join(programs, 'notes', 'mine.txt'), 'the person’s own');
  expect(await copies.list()).toEqual([{directory: to, unusedSince: undefined}]);
  await copies.note(to, 17);
  expect(await copies.list()).toEqual([{directory: to, unusedSince: 17}]);
  expect(await copies.has({from, to})).toBe(true);
  await copies.note(to, undefined);
  expect(await copies.list()).toEqual([{directory: to, unusedSince: undefined}]);
  await copies.remove(to);
  expect(await readdir(programs)).toEqual(['notes']);
});
