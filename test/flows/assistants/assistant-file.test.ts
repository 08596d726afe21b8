import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Method, Scope} from '../../../src/domain/assistant-entry.ts';
import type {ContextEntry} from '../../../src/domain/context.ts';
import {
  type ComposeInput,
  composeFiles,
  createEntryReader,
  locate,
  namesIn,
  ourTokensIn,
  readEntries,
  tokensIn,
} from '../../../src/flows/assistants/assistant-file.ts';
import {context, entries, jwt, machine} from './support/machine.ts';

const find = (id: string) => allAssistants.find(one => one.id === id) ?? expect.fail();
const cursor = find('cursor');
const [controlPlane, observability] = entries;
const both = ['acme-control-plane', 'acme-observability'];

/** A machine, and the files that these assistants need there. */
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
      ...{change: 'new', before: null, holdsToken: true, names: both, tokens: [], foreign: []},
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

  test('keeps what the person chose in entries that lead there, and of no others', async () => {
    const {compose, put} = await composing();
    const choices = {alwaysAllow: ['list_projects']};
    await put(
      '.cursor/mcp.json',
      holding({
        'acme-control-plane': {...header(controlPlane.url, 'old'), ...choices},
        'acme-observability': {...header('http://other.example/mcp', 'theirs'), ...choices},
      }),
    );
    const [file] = await compose([['cursor', 'user', 'bridge']]);
    const {mcpServers} = JSON.parse(file?.after ?? '');
    expect(mcpServers['acme-control-plane']).toMatchObject(choices);
    expect(mcpServers['acme-observability']).not.toHaveProperty('alwaysAllow');
    expect(file?.foreign).toEqual(['acme-observability']);
  });

  test('has one that the client would not take as somebody else’s', async () => {
    const {compose, put} = await composing();
    await put('.cursor/mcp.json', holding({'acme-control-plane': 7}));
    expect(await compose([['cursor', 'user', 'bridge']])).toMatchObject([{foreign: ['acme-control-plane']}]);
  });
});

describe('the entries in a file', () => {
  test('are those that are chosen, and of the others those that stand there already', async () => {
    const {compose, connect} = await composing();
    const one = {entries: [controlPlane], every: entries};
    expect((await compose([['cursor', 'user', 'bridge']], one))[0]?.names).toEqual(['acme-control-plane']);
    expect((await compose([['cursor', 'user', 'bridge']], {entries: [observability]}))[0]?.names).toEqual([
      'acme-observability',
    ]);
    await connect(['cursor', 'user', 'bridge']);
    expect((await compose([['cursor', 'user', 'bridge']], one))[0]?.names).toEqual(both);
    // Another context of the same name in the file is nobody’s reason.
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
  test('are those of our entries, of any context, and those that are kept', async () => {
    const {compose, put, ports, token} = await composing();
    const path = await put(
      '.cursor/mcp.json',
      holding({
        'beta-control-plane': header('http://beta.example/mcp', 'token-of-beta'),
        theirs: header('http://x.example/mcp', 'ghp_theirs'),
        other: {url: 'http://y.example/mcp', headers: {'X-Key': token}},
      }),
    );
    const entry = {assistant: 'cursor', scope: 'user', project: '/', method: 'header', path} as const;
    await ports.config.saveContext({...context, name: 'beta', entries: [{...entry, names: ['beta-control-plane']}]});
    const [file] = await compose([['cursor', 'user', 'bridge']]);
    expect(new Set(file?.tokens)).toEqual(new Set(['token-of-beta', token]));
    const present = await readEntries(cursor, path, ports);
    expect(await ourTokensIn(present, {assistant: cursor, path, names: ['theirs']}, ports)).toEqual([
      'ghp_theirs',
      'token-of-beta',
    ]);
    expect(await ourTokensIn(present, {assistant: cursor, path: '/other', names: []}, ports)).toEqual([]);
  });

  test('are looked for although what is kept cannot be read', async () => {
    const {compose, ports} = await composing();
    await ports.files.write(ports.credentials.path, '{', {mode: 0o600, journal: false});
    expect((await compose([['cursor', 'user', 'bridge']]))[0]?.tokens).toEqual([]);
  });

  test('are read without the word before them, and are none where there is no header', () => {
    const one = jwt(1);
    const present = {
      plain: {url: 'http://x/', headers: {Authorization: `bearer ${one}`}},
      empty: {url: 'http://x/', headers: {Authorization: 'Bearer '}},
      without: {url: 'http://x/'},
      program: {command: 'node', args: []},
      odd: 7,
    };
    expect(tokensIn(present, cursor, [...Object.keys(present), 'gone'])).toEqual([one]);
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
