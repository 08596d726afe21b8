import {describe, expect, test} from 'vitest';
import type {Assistant} from '../../../src/assistants/assistant.ts';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {renewedEntry} from '../../../src/assistants/formats/own-members.ts';
import {methodsOf} from '../../../src/assistants/methods.ts';
import {isAtLeast, readVersion} from '../../../src/assistants/versions.ts';
import {places} from '../catalogue/golden.ts';

const find = (id: string): Assistant => {
  const found = allAssistants.find(one => one.id === id);
  if (!found) throw new Error(`There is no assistant ${id}.`);
  return found;
};

const url = 'http://x/mcp';
const headers = {Authorization: 'Bearer T'};

describe('an entry that the client takes for something else, or not at all, is not read as one of ours', () => {
  test.each<readonly [string, object]>([
    ['claude-code', {url, headers}],
    ['claude-code', {type: 'streamableHttp', url, headers}],
    ['claude-code', {type: 'sse', url, headers}],
    ['claude-code', {url, transport: {type: 'http', headers}}],
    ['claude-desktop', {url, headers}],
    ['windsurf', {url, headers}],
    ['cline', {type: 'http', url, headers}],
    ['cline', {url, headers}],
    ['roo-code', {type: 'streamableHttp', url, headers}],
    ['qwen-code', {type: 'http', url, headers}],
    ['opencode', {type: 'http', url, headers}],
    ['opencode', {command: 'node', args: []}],
    ['continue', {url, requestOptions: {headers}}],
    ['goose', {type: 'sse', uri: url, headers}],
    ['factory-droid', {url, headers}],
    ['generic', {url, transport: {type: 'sse', headers}}],
    ['generic', {url, type: 'sse', headers}],
    ['cursor', {url: 'not an address'}],
    ['cursor', {command: 'node', args: [1]}],
    ['cursor', {}],
  ])('%s: %j', (id, entry) => {
    expect(find(id).entry.read(entry)).toBeUndefined();
  });

  test.each([undefined, null, 1, 'text', [], [{}]])('%j is none for anybody', value => {
    expect(allAssistants.filter(({entry}) => entry.read(value) !== undefined)).toEqual([]);
  });
});

describe('headers where the client does not look for them are not there', () => {
  test.each<readonly [string, object]>([
    ['cursor', {url, transport: {type: 'http', headers}}],
    ['codex-cli', {url, headers}],
    ['continue', {type: 'streamable-http', url, headers}],
  ])('%s: %j', (id, entry) => {
    expect(find(id).entry.read(entry)).toEqual({kind: 'header', url, headers: {}});
  });
});

test.each<readonly [string, object]>([
  ['cline', {transport: {type: 'streamableHttp', url, headers}}],
  ['gemini-cli', {httpUrl: url, headers}],
  ['gemini-cli', {url, headers}],
  ['antigravity', {url, headers}],
  ['vscode', {url, headers}],
  ['generic', {type: 'http', url, headers}],
  ['generic', {url, transport: {type: 'http', headers}}],
  ['documented', {type: 'http', url, headers}],
  ['documented', {url, transport: {type: 'http', headers}}],
])('another dialect of the same client is read too: %s: %j', (id, entry) => {
  expect(find(id).entry.read(entry)).toEqual({kind: 'header', url, headers});
});

test('a helper counts for more than a header next to it', () => {
  expect(find('claude-code').entry.read({type: 'http', url, headers, headersHelper: 'x'})).toEqual({
    kind: 'helper',
    url,
    helper: 'x',
  });
});

test('in a project Copilot writes what Claude Code reads from the same file', () => {
  const [claude, copilot] = [find('claude-code'), find('copilot-cli')];
  const at = {name: 'acme', scope: 'project', system: 'linux'} as const;
  expect(copilot.files('project', places.linux)[0]).toBe(claude.files('project', places.linux)[0]);
  const program = {...at, command: 'node', args: ['x']};
  expect(copilot.entry.command(program)).toEqual(claude.entry.command(program));
  const header = {...at, url, authorization: 'Bearer T'};
  expect(copilot.entry.header?.(header)).toEqual(claude.entry.header?.(header));
});

test('on macOS Zed follows no variable', () => {
  const place = {...places.darwin, env: {XDG_CONFIG_HOME: '/xdg', FLATPAK_XDG_CONFIG_HOME: '/flatpak'}};
  expect(find('zed').files('user', place)).toEqual(['/Users/ann/.config/zed/settings.json']);
});

test('files that a client merges are all named', () => {
  const place = {...places.linux, env: {OPENCODE_CONFIG_DIR: '/own'}};
  expect(find('opencode').alsoReads?.('user', place)).toEqual([
    '/home/ann/.config/opencode/config.json',
    '/home/ann/.config/opencode/opencode.json',
    '/home/ann/.config/opencode/opencode.jsonc',
    '/own/opencode.json',
    '/own/opencode.jsonc',
  ]);
  for (const {files, alsoReads} of allAssistants.filter(one => one.alsoReads)) {
    for (const scope of ['user', 'project'] as const) {
      expect(alsoReads?.(scope, place)).toEqual(expect.arrayContaining([...files(scope, place)]));
    }
  }
});

test('whose entries another reads is in the list too', () => {
  const ids = allAssistants.map(({id}) => id);
  const read = allAssistants.flatMap(({readsToo}) => [...(readsToo?.('user') ?? []), ...(readsToo?.('project') ?? [])]);
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter(id => !ids.includes(id))).toEqual([]);
});

describe('every assistant', () => {
  test('has an id and a name of its own', () => {
    expect(new Set(allAssistants.map(({id}) => id)).size).toBe(allAssistants.length);
    expect(new Set(allAssistants.map(({name}) => name)).size).toBe(allAssistants.length);
  });

  /** Assistants on every system, without those that exist only on Windows or macOS, or beside WSL. */
  test.each(allAssistants.filter(({id}) => !/-(?:windows|msix)$|^visual-studio$|^xcode-/.test(id)))(
    '$id has absolute paths, and traces to be found by',
    ({id, files, traces}) => {
      for (const place of Object.values(places)) {
        const all = [...files('user', place), ...files('project', place)];
        expect(all.length).toBeGreaterThan(0);
        const start = place.system === 'win32' ? /^[A-Z]:\\[^/]+$/ : /^\/[^\\]+$/;
        for (const path of [...all, ...traces(place)]) expect(path).toMatch(start);
        expect(traces(place).length > 0).toBe(id !== 'generic' && id !== 'documented');
      }
    },
  );

  test.each(allAssistants)('$id says in sentences what is left to do', ({afterwards}) => {
    for (const scope of ['user', 'project'] as const) {
      for (const method of ['helper', 'bridge', 'header', 'oauth'] as const) {
        const sentences = afterwards(scope, method);
        expect(sentences.length).toBeGreaterThan(0);
        for (const sentence of sentences) expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
      }
    }
  });

  test.each(allAssistants)('$id takes the names that are given by default, and no odd ones', ({names}) => {
    expect(['acme-control-plane', 'acme-observability'].filter(name => !names.allows(name))).toEqual([]);
    expect(['', '__proto__', 'a\nb', 'a\u0000'].filter(name => names.allows(name))).toEqual([]);
    expect(names.words).not.toBe('');
  });

  test.each(allAssistants)('$id has a helper exactly where a version is known for it', ({entry, helperSince}) => {
    expect(entry.helper !== undefined).toBe(helperSince !== undefined);
  });
});

test.each([
  ['gemini-cli', 'acme_x', false],
  ['gemini-cli', 'acme-x', true],
  ['claude-code', 'acme.x', false],
  ['claude-code', 'acme_x', true],
  ['cursor', 'acme.x', true],
  ['cursor', 'a b', false],
])('%s and the name %s: %s', (id, name, allowed) => {
  expect(find(id).names.allows(name)).toBe(allowed);
});

test.each([
  ['2.1.328 (Claude Code)\n', '2.1.328'],
  ['codex-cli 0.169.0', '0.169.0'],
  ['codex-cli 0.152.0-alpha.3', '0.152.0-alpha.3'],
  ['v1.2', undefined],
  ['', undefined],
])('the version in %j is %s', (output, version) => {
  expect(readVersion(output)).toBe(version);
});

test.each([
  ['2.1.248', '2.1.248', true],
  ['2.1.247', '2.1.248', false],
  ['2.1.1000', '2.1.248', true],
  ['2.2.0', '2.1.248', true],
  ['3.0.0', '2.1.248', true],
  ['1.9.999', '2.1.248', false],
  ['0.152.0-alpha.3', '0.152.0', false],
  ['0.153.0-alpha.1', '0.152.0', true],
])('%s is %s or newer: %s', (version, least, expected) => {
  expect(isAtLeast(version, least)).toBe(expected);
});

test.each<readonly [string, string | undefined, readonly string[]]>([
  ['claude-code', '2.1.248', ['helper', 'bridge', 'header', 'oauth']],
  ['claude-code', '2.1.247', ['bridge', 'header', 'oauth']],
  ['claude-code', undefined, ['bridge', 'header', 'oauth']],
  ['codex-cli', '0.152.0', ['helper', 'bridge', 'header', 'oauth']],
  ['codex-cli', '0.151.9', ['bridge', 'header', 'oauth']],
  ['claude-desktop', undefined, ['bridge']],
  ['cursor', '9.9.9', ['bridge', 'header', 'oauth']],
  ['generic', undefined, ['bridge', 'header']],
  // The entry exists for the token in it, so `header` comes first.
  ['documented', undefined, ['header', 'bridge']],
])('%s %s is connected by %j', (id, version, methods) => {
  expect(methodsOf(find(id), version, false)).toEqual(methods);
});

test.each<readonly [string, string | undefined, readonly string[]]>([
  ['claude-code', '2.1.300', ['helper', 'bridge', 'header', 'oauth']],
  ['claude-code', '2.1.248', ['bridge', 'header', 'oauth']],
  ['claude-code', undefined, ['bridge', 'header', 'oauth']],
  ['codex-cli', '0.169.0', ['bridge', 'header', 'oauth']],
])('%s %s is connected to a name below localhost by %j', (id, version, methods) => {
  expect(methodsOf(find(id), version, true)).toEqual(methods);
});

test('an entry that is written anew keeps what this program did not write, and nothing of the way it took', () => {
  const present = {
    url,
    headers: {...headers, 'X-Team': 'a'},
    disabled: true,
    autoApprove: ['list_projects'],
    note: 'x',
  };
  const {entry} = find('kiro');
  const command = entry.command({name: 'acme', scope: 'user', system: 'linux', command: 'node', args: []});
  expect(renewedEntry(command, {entry: present, written: [], scope: 'user'}, entry)).toEqual({
    ...{command: 'node', args: [], headers: {'X-Team': 'a'}},
    ...{disabled: true, autoApprove: ['list_projects'], note: 'x'},
  });
  expect(renewedEntry(command, {entry: undefined, written: [], scope: 'user'}, entry)).toEqual(command);
});

test.each(['factory-droid', 'gemini-cli', 'amp', 'cline'])(
  '%s reads no byte order mark: the file is named, and left',
  async id => {
    const editor = await find(id).format.editor();
    const path = '/home/ann/settings.json';
    const expected = expect.objectContaining({
      code: 'local-file-invalid',
      message: expect.stringContaining(`${path} starts with a byte order mark`),
    });
    expect(() => editor.read('\uFEFF{}', path)).toThrow(expected);
    expect(() => editor.set('\uFEFF{}', {acme: {}}, path)).toThrow(expected);
    expect(() => editor.remove('\uFEFF{}', ['acme'], path)).toThrow(expected);
    expect(editor.set('{}', {acme: {}}, path)).toContain('acme');
  },
);

test('factory-droid reads no trailing comma, and comments', async () => {
  const editor = await find('factory-droid').format.editor();
  expect(() => editor.read('{"mcpServers": {},}', 'mcp.json')).toThrow('comma');
  expect(editor.read('{"mcpServers": {} /* none */}', 'mcp.json')).toEqual({});
});
