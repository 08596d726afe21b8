import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {ContextEntry, Method, Scope} from '../../../src/domain/context.ts';
import {
  type ComposeInput,
  composeFiles,
  createEntryReader,
  locate,
  namesIn,
  readEntries,
} from '../../../src/flows/assistants/assistant-file.ts';
import {context, entries, machine} from './support/machine.ts';

const find = (id: string) => allAssistants.find(one => one.id === id) ?? expect.fail();
const cursor = find('cursor');
const [controlPlane, observability] = entries;
const both = ['acme-control-plane', 'acme-observability'];

/** Sets up a machine, and a function that composes the files of these assistants there. */
const composing = async () => {
  const at = await machine();
  const compose = (chosen: readonly (readonly [string, Scope, Method])[], more: Partial<ComposeInput> = {}) =>
    composeFiles({...at.input(chosen), ...more}, at.ports);
  return {...at, compose};
};

const header = (url: string, token: string) => ({url, headers: {Authorization: `Bearer ${token}`}});
const holding = (servers: object) => JSON.stringify({mcpServers: servers});

describe('a file of assistants', () => {
  test('that is not there is made, with every entry', async () => {
    const {compose, home} = await composing();
    const [file] = await compose([['cursor', 'user', 'header']]);
    expect(file).toMatchObject({
      path: join(home, '.cursor', 'mcp.json'),
      ...{change: 'new', before: null, holdsToken: true, names: both, foreign: []},
      targets: [{assistant: {id: 'cursor'}}],
      made: {kind: expect.any(String)},
    });
    expect(Object.keys(JSON.parse(file?.after ?? '').mcpServers)).toEqual(both);
  });

  test('holds no token where each entry starts a program', async () => {
    const {compose} = await composing();
    const files = await compose([
      ['cursor', 'user', 'bridge'],
      ['claude-code', 'user', 'helper'],
    ]);
    expect(files.map(({holdsToken}) => holdsToken)).toEqual([false, false]);
  });

  test('that has them already is unchanged, with the bytes that there are', async () => {
    const {compose, connect, put} = await composing();
    await connect(['cursor', 'user', 'bridge']);
    const [file] = await compose([['cursor', 'user', 'bridge']]);
    expect(file).toMatchObject({change: 'unchanged', foreign: []});
    expect(file?.open.text).toBe(file?.after);
    await put('.cursor/mcp.json', '{}');
    expect(await compose([['cursor', 'user', 'bridge']])).toMatchObject([{change: 'changed'}]);
  });

  test('that several read is one, by the bridge where they go different ways', async () => {
    const {compose, project} = await composing();
    const read = (method: Method, other: Method) =>
      compose([
        ['claude-code', 'project', method],
        ['copilot-cli', 'project', other],
        ['cursor', 'user', 'header'],
      ]);
    const [shared, own] = await read('header', 'header');
    expect(shared).toMatchObject({path: join(project, '.mcp.json'), holdsToken: true});
    expect(shared?.targets.map(({assistant}) => assistant.id)).toEqual(['claude-code', 'copilot-cli']);
    expect(own?.targets).toHaveLength(1);
    const [mixed] = await read('helper', 'header');
    expect(mixed?.holdsToken).toBe(false);
    expect(mixed?.after).toContain('"command": "/usr/bin/node"');
  });

  test('keeps what it did not write in entries of its own, and of no others', async () => {
    const {compose, connect, fileOf} = await composing();
    const choices = {alwaysAllow: ['list_projects'], anything: {of: 'mine'}};
    await connect(['cursor', 'user', 'header']);
    const file = fileOf('cursor');
    const {mcpServers: before} = JSON.parse(await readFile(file, 'utf8'));
    Object.assign(before['acme-control-plane'], choices);
    Object.assign(before['acme-control-plane'].headers, {'X-Team': 'a'});
    Object.assign(before['acme-observability'], header('http://other.example/mcp', 'theirs'), choices);
    await writeFile(file, JSON.stringify({mcpServers: before}));
    const [composed] = await compose([['cursor', 'user', 'bridge']]);
    const {mcpServers} = JSON.parse(composed?.after ?? '');
    expect(mcpServers['acme-control-plane']).toMatchObject({...choices, headers: {'X-Team': 'a'}});
    expect(mcpServers['acme-control-plane'].headers).not.toHaveProperty('Authorization');
    expect(mcpServers['acme-observability']).not.toHaveProperty('alwaysAllow');
    expect(composed?.foreign).toEqual(['acme-observability']);
  });

  test('has an entry that was there before as somebody else’s, also at the same address', async () => {
    const {compose, put} = await composing();
    await put('.cursor/mcp.json', holding({'acme-control-plane': header(controlPlane.url, 'theirs')}));
    expect(await compose([['cursor', 'user', 'bridge']])).toMatchObject([{foreign: ['acme-control-plane']}]);
  });

  test('has one that the client would not take as somebody else’s', async () => {
    const {compose, put} = await composing();
    await put('.cursor/mcp.json', holding({'acme-control-plane': 7}));
    expect(await compose([['cursor', 'user', 'bridge']])).toMatchObject([{foreign: ['acme-control-plane']}]);
  });
});

describe('the entries in a file', () => {
  test('are those that are chosen, and of the others those that the context has recorded', async () => {
    const {compose, connect} = await composing();
    const one = {entries: [controlPlane], every: entries};
    expect((await compose([['cursor', 'user', 'bridge']], one))[0]?.names).toEqual(['acme-control-plane']);
    expect((await compose([['cursor', 'user', 'bridge']], {entries: [observability]}))[0]?.names).toEqual([
      'acme-observability',
    ]);
    await connect(['cursor', 'user', 'bridge']);
    expect((await compose([['cursor', 'user', 'bridge']], one))[0]?.names).toEqual(both);
    // Another context of the same name in the file gives no reason for another name.
    expect((await compose([['cursor', 'user', 'bridge']], {...one, context: 'beta'}))[0]?.names).toEqual([
      'acme-control-plane',
    ]);
  });

  test('of one that is renewed are those that it has, whatever is chosen', async () => {
    const {compose, connect, saved, ports} = await composing();
    await connect(['cursor', 'user', 'bridge']);
    const [known] = (await saved()).entries ?? [];
    const renews: ContextEntry = {...(known ?? expect.fail()), names: ['acme-observability']};
    await ports.config.saveContext({...context, entries: [renews]});
    const targets = [{assistant: cursor, scope: 'user', method: 'bridge', renews}] as const;
    const [file] = await compose([], {targets, entries: [controlPlane], every: entries});
    expect(file).toMatchObject({path: renews.path, names: ['acme-observability']});
  });
});

test('who is new to a file gets what is chosen, although another who reads it is only renewed', async () => {
  const {compose, connect, saved, ports} = await composing();
  await connect(['claude-code', 'project', 'bridge']);
  const [known] = (await saved()).entries ?? [];
  const renews: ContextEntry = {...(known ?? expect.fail()), names: ['acme-observability']};
  await ports.config.saveContext({...context, entries: [renews]});
  const target = {scope: 'project', method: 'bridge'} as const;
  const targets = [
    {...target, assistant: find('claude-code'), renews},
    {...target, assistant: find('copilot-cli')},
  ];
  expect(await compose([], {targets, entries: [controlPlane], every: entries})).toMatchObject([{names: both}]);
});

test('a file of Windows is one file in whichever capitals, and has its entries there', async () => {
  const {input, ports, place} = await composing();
  const asked: string[] = [];
  const files = {
    ...ports.files,
    exists: async () => true,
    read: async (path: string) => {
      asked.push(path);
      return undefined;
    },
    madeFor: async () => [],
    targetOf: async (path: string) => path,
  };
  const path = 'c:\\WORK\\app\\.mcp.json';
  const renews: ContextEntry = {
    ...{assistant: 'claude-code', scope: 'project', project: 'c:\\WORK\\app', method: 'bridge', path},
    names: ['acme-control-plane'],
  };
  await ports.config.saveContext({...context, entries: [renews]});
  const target = {scope: 'project', method: 'bridge'} as const;
  const targets = [
    {...target, assistant: find('claude-code'), renews},
    {...target, assistant: find('copilot-cli')},
  ];
  const windows = {...place, project: 'C:\\Work\\App', system: 'win32'} as const;
  const found = await composeFiles(
    {...input([]), targets, place: windows, entries: [controlPlane], every: entries},
    {...ports, files},
  );
  expect(found).toMatchObject([{path, names: ['acme-control-plane']}]);
  expect(found[0]?.targets).toHaveLength(2);
  expect(asked).toEqual([path]);
  expect(namesIn([renews], 'C:\\Work\\App\\.mcp.json')).toEqual(renews.names);
});

test('a file that is not there has no entries', async () => {
  const {ports} = await composing();
  expect(await readEntries(cursor, '/nowhere/mcp.json', ports)).toEqual({});
});

describe('the tokens that stand in a file', () => {
  test('are those of our entries, of any context, by their places', async () => {
    const {compose, put, ports, token} = await composing();
    const path = await put(
      '.cursor/mcp.json',
      holding({
        'beta-control-plane': header('http://beta.example/mcp', 'token-of-beta'),
        theirs: header('http://x.example/mcp', 'token-of-beta'),
        other: {url: 'http://y.example/mcp', headers: {'X-Key': token}},
      }),
    );
    const beta = {...context, controlPlaneUrl: 'http://beta.example', name: 'beta'};
    const entry = {assistant: 'cursor', scope: 'user', project: '/', method: 'header', path} as const;
    await ports.config.saveContext({...beta, entries: [{...entry, names: ['beta-control-plane']}]});
    const [file] = await compose([['cursor', 'user', 'header']]);
    const before = await readFile(path);
    expect(file?.tokens.before.map(({start, end}) => [start, before.toString('utf8', start, end)])).toEqual([
      [before.indexOf('token-of-beta'), 'token-of-beta'],
    ]);
    const after = Buffer.from(file?.after ?? '');
    expect(file?.tokens.after.map(({start, end}) => after.toString('utf8', start, end))).toEqual([
      ...['token-of-beta', token, token],
    ]);
  });

  test('are found in a file without its bulk, and behind a byte order mark', async () => {
    const {compose, connect, put, token} = await composing();
    const history = Array.from({length: 60_000}, (_, index) => `said ${index} ü`);
    const path = await put('.claude.json', `${JSON.stringify({history, last: {history}}, null, 2)}`);
    await connect(['claude-code', 'user', 'header']);
    const [file] = await compose([['claude-code', 'user', 'header']]);
    const bytes = await readFile(path);
    expect(file?.tokens.before.map(({start, end}) => bytes.toString('utf8', start, end))).toEqual([token, token]);
    const marked = await put('.cursor/mcp.json', '\uFEFF{}');
    await connect(['cursor', 'user', 'header']);
    const [other] = await compose([['cursor', 'user', 'header']]);
    const withMark = await readFile(marked);
    expect(other?.tokens.before.map(({start, end}) => withMark.toString('utf8', start, end))).toEqual([token, token]);
  });

  test('belong to the names that are known in that file', () => {
    const entry = {assistant: 'cursor', scope: 'user', project: '/', method: 'header'} as const;
    const known = [
      {...entry, path: '/a', names: ['one']},
      {...entry, path: '/b', names: ['two']},
      {...entry, path: '/a', names: ['three']},
    ];
    expect(namesIn(known, '/a')).toEqual(['one', 'three']);
  });
});

describe('which file it is', () => {
  const two = {...cursor, files: (_: Scope, {home}: {home: string}) => [join(home, 'first'), join(home, 'second')]};

  test('the first that is there, else the first', async () => {
    const {place, ports, put, home} = await composing();
    const at = () => locate({assistant: two, scope: 'user'}, place, ports);
    expect(await at()).toBe(join(home, 'first'));
    await put('second', '');
    expect(await at()).toBe(join(home, 'second'));
    await put('first', '');
    expect(await at()).toBe(join(home, 'first'));
  });

  test('the very one that is renewed', async () => {
    const {place, ports} = await composing();
    const renews = {assistant: 'cursor', scope: 'user', project: '/', method: 'bridge', path: '/x', names: []} as const;
    expect(await locate({assistant: two, scope: 'user', renews}, place, ports)).toBe('/x');
  });

  test.each([
    ['user', 'generic', 'has no file for all projects.'],
    ['project', 'windsurf', 'has no file in a project.'],
  ] as const)('none where the assistant has no scope %s: %s', async (scope, id, words) => {
    const {place, ports} = await composing();
    const assistant = find(id);
    await expect(locate({assistant, scope}, place, ports)).rejects.toMatchObject({
      code: 'input-invalid',
      message: `${assistant.name} ${words}`,
    });
  });
});

test('whoever asks for the entries of a file again gets those of the first reading', async () => {
  const {ports, put} = await machine();
  const path = await put('.cursor/mcp.json', holding({a: {url: 'http://x.example'}}));
  const entriesOf = createEntryReader(ports);
  const first = await entriesOf(cursor, path);
  await put('.cursor/mcp.json', holding({}));
  expect(await entriesOf(cursor, path)).toBe(first);
  expect(await createEntryReader(ports)(cursor, path)).toEqual({});
});
