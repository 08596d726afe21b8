import {mkdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {createGoneProgram, type GoneProgram} from '../../../src/flows/assistants/inspect-entries.ts';
import {temporaryDirectory, temporaryPorts} from '../../support/place.ts';

const installed = async () => {
  const directory = join(await temporaryDirectory(), 'a b');
  const [node, launcher] = [join(directory, 'node'), join(directory, 'program', 'bin', 'setup.js')];
  await mkdir(dirname(launcher), {recursive: true});
  for (const path of [node, launcher]) await writeFile(path, '');
  const ports = await temporaryPorts();
  // A new instance each time, so that no earlier answer is kept.
  const goneProgram = (...[connection]: Parameters<GoneProgram>) => createGoneProgram(ports)(connection);
  return {node, launcher, ports, goneProgram};
};

const started = (command: string, ...args: readonly string[]) => ({kind: 'command', command, args, env: {}}) as const;
const helped = (helper: string) => ({kind: 'helper', url: 'http://x.example/mcp', helper}) as const;

test('nothing is where the Node and the launcher are there', async () => {
  const {node, launcher, goneProgram} = await installed();
  expect(await goneProgram(started(node, launcher, 'mcp', 'serve'))).toBeUndefined();
  expect(await goneProgram(helped(`'${node}' '${launcher}' token --mcp-header`))).toBeUndefined();
});

test('the Node is, or the launcher, of a bridge and of a helper', async () => {
  const {node, launcher, goneProgram} = await installed();
  await rm(launcher);
  expect(await goneProgram(started(node, launcher, 'mcp', 'serve'))).toBe(launcher);
  expect(await goneProgram(helped(`"${node}" "${launcher}" token`))).toBe(launcher);
  await rm(node);
  expect(await goneProgram(started(node, launcher))).toBe(node);
  expect(await goneProgram(helped(`'${node}' '${launcher}' token`))).toBe(node);
  expect(await goneProgram(helped('/gone/node /gone/bin/setup.js token'))).toBe('/gone/node');
});

test('the launcher is told from what Bun and Deno are to know first', async () => {
  const {node, launcher, goneProgram} = await installed();
  const deno = ['run', '-A', launcher, 'mcp', 'serve'];
  const bun = ['--no-env-file', `--config=${dirname(launcher)}/bunfig.toml`, launcher, 'token'];
  expect(await goneProgram(started(node, ...deno))).toBeUndefined();
  await rm(launcher);
  expect(await goneProgram(started(node, ...deno))).toBe(launcher);
  expect(await goneProgram(helped([node, ...bun].map(one => `'${one}'`).join(' ')))).toBe(launcher);
});

test('nothing is told of what is no file of this system, or another program', async () => {
  const {launcher, goneProgram} = await installed();
  for (const connection of [
    undefined,
    started('node', launcher),
    started('wsl.exe', '--exec', '/gone/node', '/gone/bin/setup.js'),
    started('/gone/program', 'mcp'),
    started('/gone/node', '/gone/bin/setup.json'),
    started('/gone/node', '/gone/bin/setup.js.map'),
    started('/gone/node'),
    // An entry of another system, in a home that both systems read.
    ...(process.platform === 'win32' ? [] : [started('C:\\gone\\node.exe', 'C:\\gone\\bin\\setup.js')]),
    helped(''),
    helped('/gone/node'),
    helped('   '),
    helped('/gone/program --headers'),
    {kind: 'oauth', url: 'http://x.example/mcp', clientId: 'cli'} as const,
  ])
    expect(await goneProgram(connection)).toBeUndefined();
});

test('each file is looked for once, however many entries start it', async () => {
  const {node, launcher, ports} = await installed();
  const asked: string[] = [];
  const exists = (path: string) => {
    asked.push(path);
    return ports.files.exists(path);
  };
  const goneProgram = createGoneProgram({files: {...ports.files, exists}});
  for (const server of ['control-plane', 'observability'])
    expect(await goneProgram(started(node, launcher, 'mcp', 'serve', server))).toBeUndefined();
  expect(asked).toEqual([node, launcher]);
});
