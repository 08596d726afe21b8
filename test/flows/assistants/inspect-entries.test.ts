import {readFile, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {SIGNED_OUT} from '../../../src/domain/credentials.ts';
import {inspectContexts, inspectEntries} from '../../../src/flows/assistants/inspect-entries.ts';
import {context, entries, machine} from './support/machine.ts';

test('how each entry stands is read from the files, without network', async () => {
  const {connect, saved, ports, home, fileOf} = await machine();
  await connect(['cursor', 'user', 'header'], ['zed', 'user', 'bridge'], ['kiro', 'user', 'bridge']);
  await writeFile(fileOf('zed'), '{');
  await writeFile(join(home, '.kiro', 'settings', 'mcp.json'), '{}');
  const standings = await inspectEntries(await saved(), allAssistants, ports);
  expect(standings.map(({assistant, state, method, expiresAt}) => [assistant, state, method, expiresAt])).toEqual([
    ['Cursor', 'token', 'header', 4_000_000_000_000],
    ['Cursor', 'token', 'header', 4_000_000_000_000],
    ['Zed', 'unreadable', undefined, undefined],
    ['Zed', 'unreadable', undefined, undefined],
    ['Kiro', 'missing', undefined, undefined],
    ['Kiro', 'missing', undefined, undefined],
  ]);
});

test('a helper, a sign-out and an entry that the person made their own are told apart', async () => {
  const {connect, saved, ports, put} = await machine();
  await connect(['claude-code', 'user', 'helper'], ['cursor', 'user', 'header'], ['zed', 'user', 'bridge']);
  const [control] = entries;
  const header = (url: string, Authorization: string) => ({url, headers: {Authorization}});
  const mcpServers = {
    'acme-control-plane': header(control.url, SIGNED_OUT),
    'acme-observability': header('http://x.example/mcp', 'opaque'),
  };
  await put('.cursor/mcp.json', JSON.stringify({mcpServers}));
  const standings = await inspectEntries(await saved(), allAssistants, ports);
  expect(standings.map(({assistant, name, state, method}) => [assistant, name, state, method])).toEqual([
    ['Claude Code', 'acme-control-plane', 'kept', 'helper'],
    ['Claude Code', 'acme-observability', 'kept', 'helper'],
    ['Cursor', 'acme-control-plane', 'signed-out', 'header'],
    ['Cursor', 'acme-observability', 'changed', undefined],
    ['Zed', 'acme-control-plane', 'kept', 'bridge'],
    ['Zed', 'acme-observability', 'kept', 'bridge'],
  ]);
  expect(standings.every(one => !('expiresAt' in one))).toBe(true);
});

test('the entries of an assistant that is not known any more cannot be read', async () => {
  const {connect, saved, ports} = await machine();
  await connect(['cursor', 'user', 'header']);
  const [first] = await inspectEntries(await saved(), [], ports);
  expect(first).toMatchObject({assistant: 'cursor', scope: 'user', state: 'unreadable'});
  const {entries: _, ...without} = await saved();
  expect(await inspectEntries(without, [], ports)).toEqual([]);
});

test('what the person has switched off is told, and stays off when it is written anew', async () => {
  const {connect, saved, ports, home, fileOf} = await machine();
  await connect(['factory-droid', 'user', 'bridge'], ['opencode', 'user', 'bridge'], ['kiro', 'user', 'bridge']);
  const change = async (path: string, from: string, to: string) =>
    writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
  await change(join(home, '.factory', 'mcp.json'), '"disabled": false', '"disabled": true');
  await change(fileOf('opencode'), '"enabled": true', '"enabled": false');
  const off = async () =>
    (await inspectEntries(await saved(), allAssistants, ports)).flatMap(({assistant, name, isOff}) =>
      isOff ? [[assistant, name]] : [],
    );
  const expected = [
    ['Factory Droid', 'acme-control-plane'],
    ['OpenCode', 'acme-control-plane'],
  ];
  expect(await off()).toEqual(expected);
  await connect(['factory-droid', 'user', 'bridge'], ['opencode', 'user', 'bridge']);
  expect(await off()).toEqual(expected);
});

test('many contexts with entries in the same files cost one reading of each', async () => {
  const {connect, saved, ports} = await machine();
  await connect(['cursor', 'user', 'header'], ['zed', 'user', 'bridge']);
  const contexts = Array.from({length: 50}, (_, index) => ({...context, name: `other-${index}`}));
  const known = await saved();
  const paths: string[] = [];
  const read: typeof ports.files.read = path => {
    paths.push(basename(path));
    return ports.files.read(path);
  };
  const all = contexts.map(one => ({...one, entries: known.entries ?? []}));
  const standings = await inspectContexts(all, allAssistants, {...ports, files: {...ports.files, read}});
  expect(standings.map(each => each.map(({state}) => state))).toEqual(
    all.map(() => ['token', 'token', 'kept', 'kept']),
  );
  expect(paths.toSorted()).toEqual(['mcp.json', 'settings.json']);
});
