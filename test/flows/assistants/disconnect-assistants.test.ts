import {mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import * as jsonc from 'jsonc-parser';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {ContextEntry} from '../../../src/domain/context.ts';
import {cancelled} from '../../../src/errors/errors.ts';
import {disconnectAssistants} from '../../../src/flows/assistants/disconnect-assistants.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {undoWrites} from '../../../src/flows/undo.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {machine} from './support/machine.ts';

test('disconnecting changes nothing at all when one of the files cannot be edited', async () => {
  const {put, connect, disconnect, saved, ports} = await machine();
  const [cursor, windsurf] = [await put('.cursor/mcp.json', '{}'), '.codeium/windsurf/mcp_config.json'];
  await connect(['cursor', 'user', 'bridge'], ['windsurf', 'user', 'bridge']);
  const [before, known, writes] = [await readFile(cursor, 'utf8'), await saved(), await ports.journal.list()];
  const broken = await put(windsurf, '{"mcpServers": ');
  await expect(disconnect()).rejects.toMatchObject({
    code: 'local-file-invalid',
    message: expect.stringContaining(broken),
  });
  expect([await readFile(cursor, 'utf8'), await saved(), await ports.journal.list()]).toEqual([before, known, writes]);
});

describe('disconnecting gives back the same bytes', () => {
  const files = [
    ['claude-code', '{"numStartups": 3, "mcpServers": {}}'],
    ['cursor', '{\r\n  "mcpServers": {\r\n    "a": {"command": "x"}, // keep\r\n  },\r\n}\r\n'],
    ['vscode', '\uFEFF{\n    "inputs": []\n}'],
    ['codex-cli', '# mine\nmodel = "x"\n\n[mcp_servers.other] # here\ncommand = "y"'],
    ['continue', 'name: mine # yes\nmodels: []\n'],
    ['goose', 'extensions:\n  dev: {type: builtin, enabled: true}\n'],
    ['zed', '// Zed\n{\n  "theme": "One",\n}\n'],
  ] as const;

  test.each(files)('of %s', async (id, text) => {
    const {put, connect, disconnect, saved, fileOf} = await machine();
    const file = await put(fileOf(id), text);
    await connect([id, 'user', 'bridge']);
    expect(await readFile(file, 'utf8')).not.toBe(text);
    // As after a later sign-in, which renews the entries.
    await connect([id, 'user', 'header']);
    expect(await disconnect()).toMatchObject([{path: file, outcome: 'removed'}]);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await saved()).entries).toEqual([]);
  });

  test.each(files)('and of none: the file of %s is not left behind', async id => {
    const {connect, disconnect, ports, fileOf} = await machine();
    await connect([id, 'user', 'bridge']);
    const text = await readFile(fileOf(id), 'utf8');
    await disconnect();
    await expect(readFile(fileOf(id))).rejects.toThrow('ENOENT');
    // The disconnection can be undone as well.
    await collect(undoWrites, {which: 1}, ports);
    await expect(readFile(fileOf(id), 'utf8')).rejects.toThrow('ENOENT');
    expect(text).toContain('acme-control-plane');
  });

  test.each(files)('of %s by undo, also after a sign-out', async (id, text) => {
    const {put, connect, saved, ports, place, fileOf} = await machine();
    const file = await put(fileOf(id), text);
    await connect([id, 'user', 'header']);
    await collect(signOut, {context: await saved(), assistants: allAssistants, place}, ports);
    await collect(undoWrites, {which: 1}, ports);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('what the client or the person wrote since stays', async () => {
    const {put, connect, disconnect} = await machine();
    const file = await put('.cursor/mcp.json', '{}');
    await connect(['cursor', 'user', 'bridge']);
    const changed = JSON.parse(await readFile(file, 'utf8'));
    changed.mcpServers.mine = {command: 'x'};
    await writeFile(file, JSON.stringify(changed));
    await disconnect();
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({mcpServers: {mine: {command: 'x'}}});
  });

  test('entries that are gone already are no failure', async () => {
    const {home, connect, disconnect} = await machine();
    await connect(['cursor', 'user', 'bridge']);
    await rm(join(home, '.cursor'), {recursive: true});
    expect(await disconnect()).toMatchObject([{assistant: 'Cursor', outcome: 'absent'}]);
  });
});

test('a removal goes through the record of a run as it is, journal and all', async () => {
  const {connect, disconnect, ports, home} = await machine();
  const {recorded} = await import('../../../src/ports/recorded.ts');
  const {createRecorder} = await import('../../../src/ports/recorder.ts');
  await connect(['cursor', 'user', 'bridge']);
  const watched = recorded(ports, createRecorder(join(home, 'record.jsonl')));
  await watched.files.remove(join(home, '.cursor', 'mcp.json'), {journal: true});
  expect((await ports.journal.list()).at(-1)).toMatchObject({after: null});
  await disconnect();
});

describe('of several that are connected', () => {
  const several = async () => {
    const at = await machine();
    await at.connect(['cursor', 'user', 'bridge'], ['zed', 'user', 'bridge'], ['cursor', 'project', 'bridge']);
    const known = (await at.saved()).entries ?? [];
    const disconnect = async (
      chosen: (entry: ContextEntry) => boolean,
      {ports = at.ports, assistants = allAssistants, signal = noSignal} = {},
    ) => collect(disconnectAssistants, {context: await at.saved(), assistants, chosen}, ports, signal);
    const left = async () => ((await at.saved()).entries ?? []).map(({path}) => path);
    return {...at, known, disconnect, left, paths: known.map(({path}) => path)};
  };

  test('one goes with what is known of it, and the others stay', async () => {
    const {disconnect, left, known, paths} = await several();
    const [gone, ...others] = paths;
    const texts = () => Promise.all(others.map(path => readFile(path, 'utf8')));
    const before = await texts();
    const {result, events} = await disconnect(entry => entry.path === gone);
    expect(known).toHaveLength(3);
    expect(result).toEqual([{assistant: 'Cursor', path: gone, outcome: 'removed'}]);
    expect(events).toEqual([{type: 'file-written', path: gone, change: 'removed'}]);
    expect(await left()).toEqual(others);
    expect(await texts()).toEqual(before);
  });

  test('one that reads the same file as another leaves it alone, and says nothing', async () => {
    const at = await machine();
    await at.connect(['claude-code', 'project', 'bridge'], ['copilot-cli', 'project', 'bridge']);
    const context = await at.saved();
    const chosen = ({assistant}: ContextEntry) => assistant === 'claude-code';
    const {result, events} = await collect(
      disconnectAssistants,
      {context, assistants: allAssistants, chosen},
      at.ports,
    );
    expect([result.map(({outcome}) => outcome), events]).toEqual([['shared'], []]);
    expect((await at.saved()).entries?.map(({assistant}) => assistant)).toEqual(['copilot-cli']);
  });

  test('one that is not known any more is forgotten by its name', async () => {
    const {disconnect, left, paths} = await several();
    const {result, events} = await disconnect(({assistant}) => assistant === 'zed', {assistants: []});
    expect(result).toEqual([{assistant: 'zed', path: paths[1], outcome: 'absent'}]);
    expect(events).toEqual([]);
    expect(await left()).toEqual([paths[0], paths[2]]);
  });

  test('none is chosen, and nothing is written', async () => {
    const {disconnect, ports} = await several();
    const saveEntries = () => Promise.reject(new Error('Nothing has changed.'));
    const through = {...ports, config: {...ports.config, saveEntries}};
    expect((await disconnect(() => false, {ports: through})).result).toEqual([]);
  });

  test('none goes after somebody stopped', async () => {
    const {disconnect, left, paths} = await several();
    await expect(disconnect(() => true, {signal: AbortSignal.abort(cancelled())})).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(await left()).toEqual(paths);
  });
});

test('a file of megabytes is connected and disconnected without being parsed whole, and is what it was', async () => {
  const {put, connect, disconnect} = await machine();
  const history = Array.from({length: 30_000}, (_, index) => ({display: `what was said ${index}`, pastedContents: {}}));
  const text = JSON.stringify({startups: 3, projects: {a: {history}, b: {history}}, mcpServers: {}}, null, 2);
  const file = await put('.claude.json', text);
  const parse = vi.spyOn(jsonc, 'parseTree');
  onTestFinished(() => parse.mockRestore());
  const plan = await connect(['claude-code', 'user', 'bridge']);
  expect(plan.files[0]?.diff.split('\n').slice(0, 4)).toEqual([
    '     }',
    '   },',
    '-  "mcpServers": {}',
    '+  "mcpServers": {',
  ]);
  const connected = await readFile(file, 'utf8');
  expect(JSON.parse(connected).projects).toEqual(JSON.parse(text).projects);
  expect(await disconnect()).toMatchObject([{outcome: 'removed'}]);
  expect((await readFile(file, 'utf8')) === text).toBe(true);
  expect(Math.max(...parse.mock.calls.map(([parsed]) => parsed.length))).toBeLessThan(5_000);
});

describe('directories that were made for a file', () => {
  const windsurf = ['windsurf', 'user', 'bridge'] as const;
  const vscode = ['vscode', 'project', 'bridge'] as const;

  test('go with it when they are empty, by disconnecting and by undoing the connection', async () => {
    const {connect, disconnect, home, project, ports, again} = await machine();
    const left = async () => [await readdir(home), await readdir(project)];
    await connect(windsurf, vscode);
    expect(await left()).toEqual([['.codeium'], ['.vscode']]);
    await disconnect();
    expect(await left()).toEqual([[], []]);

    const other = again();
    await other.connect(windsurf, vscode);
    expect(await left()).toEqual([['.codeium'], ['.vscode']]);
    await collect(undoWrites, {which: 1}, ports);
    expect(await left()).toEqual([[], []]);
  });

  test('come back with it when disconnecting is undone, and go again', async () => {
    const {connect, disconnect, home, again} = await machine();
    await connect(windsurf);
    await again().disconnect();
    await collect(undoWrites, {which: 1}, again().ports);
    expect(await readdir(join(home, '.codeium', 'windsurf'))).toEqual(['mcp_config.json']);
    await disconnect();
    expect(await readdir(home)).toEqual([]);
  });

  test('stay where the person had them, and where somebody else put something in', async () => {
    const {connect, disconnect, home, project, put} = await machine();
    await mkdir(join(project, '.vscode'));
    await connect(windsurf, vscode);
    await put('.codeium/mine.txt', 'mine');
    await disconnect();
    expect(await readdir(project)).toEqual(['.vscode']);
    expect(await readdir(join(home, '.codeium'))).toEqual(['mine.txt']);
  });

  test('stay until the last file that was made in them goes', async () => {
    const {connect, disconnect, home} = await machine();
    await connect(['antigravity', 'user', 'bridge']);
    await connect(['gemini-cli', 'user', 'bridge']);
    await disconnect(['antigravity']);
    expect(await readdir(home)).toEqual(['.gemini']);
    await disconnect(['gemini-cli']);
    expect(await readdir(home)).toEqual([]);
  });

  test('go also where the person has removed the file', async () => {
    const {connect, disconnect, home} = await machine();
    await connect(windsurf);
    await rm(join(home, '.codeium', 'windsurf', 'mcp_config.json'));
    expect(await disconnect()).toMatchObject([{outcome: 'absent'}]);
    expect(await readdir(home)).toEqual([]);
  });

  test('go with the file that kept a token in them out of git', async () => {
    const {connect, project, ports} = await machine();
    await mkdir(join(project, '.git'));
    await connect(['cursor', 'project', 'header']);
    expect(await readdir(join(project, '.cursor'))).toEqual(['mcp.json']);
    expect(await readFile(join(project, '.gitignore'), 'utf8')).toBe('/.cursor/mcp.json\n');
    await collect(undoWrites, {which: 1}, ports);
    expect(await readdir(project)).toEqual(['.git']);
  });
});
