import {expect, test} from 'vitest';
import type {Assistant} from '../../../src/assistants/assistant.ts';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Connection} from '../../../src/assistants/connection.ts';
import type {Place, System} from '../../../src/assistants/place.ts';
import type {Scope} from '../../../src/domain/context.ts';

/** A person's machine on each system. */
export const places: Readonly<Record<System, Place>> = {
  linux: {home: '/home/ann', project: '/work/app', system: 'linux', env: {}},
  darwin: {home: '/Users/ann', project: '/work/app', system: 'darwin', env: {}},
  win32: {home: 'C:\\Users\\ann', project: 'D:\\app', system: 'win32', env: {APPDATA: 'C:\\Roaming'}},
};

type Golden = {
  /** The files that may hold entries, by scope and system. `[]` if there is no such scope. */
  readonly files: Readonly<Record<Scope, Readonly<Record<System, readonly string[]>>>>;
  /** The person's files on Linux that variables move. */
  readonly moved?: readonly (readonly [env: Readonly<Record<string, string>>, files: readonly string[]])[];
  /** A new file with one entry `acme` of each kind. Absent if the client does not support the kind. */
  readonly texts: Readonly<Partial<Record<'header' | 'helper' | 'oauth', string>> & {command: string}>;
  /** A typical file of the client's users, and the same file with our command in it. */
  readonly inUse: readonly [before: string, after: string];
};

/** A new file with a command in it, as most clients write it. */
export const PLAIN_COMMAND = `{
  "mcpServers": {
    "acme": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/it’s/setup.js",
        "mcp",
        "serve",
        "control-plane"
      ],
      "env": {
        "SETUP_HOME": "/home/ann/.setup"
      }
    }
  }
}
`;

const url = 'http://api.acme.localhost:8080/mcp';
const node = '/usr/bin/node';
const args = ['/opt/it’s/setup.js', 'mcp', 'serve', 'control-plane'];
const at = {name: 'acme', scope: 'user', system: 'linux'} as const;

const kinds: readonly (readonly [string, (assistant: Assistant) => object | undefined, Connection])[] = [
  [
    'header',
    ({entry}) => entry.header?.({...at, url, authorization: 'Bearer T'}),
    {kind: 'header', url, headers: {Authorization: 'Bearer T'}},
  ],
  [
    'helper',
    ({entry}) => entry.helper?.({...at, url, command: [node, ...args]}),
    {kind: 'helper', url, helper: `${node} '/opt/it’s/setup.js' mcp serve control-plane`},
  ],
  [
    'oauth',
    ({entry}) => entry.oauth?.({...at, url, clientId: 'user_mcp_client'}),
    {kind: 'oauth', url, clientId: 'user_mcp_client'},
  ],
  [
    'command',
    ({entry}) => entry.command({...at, command: node, args, env: {SETUP_HOME: '/home/ann/.setup'}}),
    {kind: 'command', command: node, args, env: {SETUP_HOME: '/home/ann/.setup'}},
  ],
];

/** Tests everything that a table says of an assistant. */
export const testAssistant = (assistant: Assistant, {files, moved = [], texts, inUse}: Golden): void => {
  test('is in the list', () => {
    expect(allAssistants).toContain(assistant);
  });

  test.each(Object.values(places))('has its files in their places on $system', place => {
    expect({
      user: assistant.files('user', place),
      project: assistant.files('project', place),
    }).toEqual({user: files.user[place.system], project: files.project[place.system]});
  });

  test.each(moved)('%j moves them', (env, paths) => {
    expect(assistant.files('user', {...places.linux, env})).toEqual(paths);
  });

  test.each(kinds)('writes and reads a %s', async (kind, build, connection) => {
    const text = texts[kind as keyof typeof texts];
    const entry = build(assistant);
    if (!text || !entry) {
      expect({text, entry}).toEqual({});
      return;
    }
    const editor = await assistant.format.editor();
    const path = 'the file';
    expect(editor.set('', {acme: entry}, path)).toBe(text);
    expect(assistant.entry.read(editor.read(text, path).acme)).toEqual(connection);
    const masked = editor.mask(text, ['acme'], assistant.entry.shown);
    expect(masked).not.toContain('Bearer T');
    // A person sees the address or command.
    expect(masked).toContain(connection.kind === 'command' ? connection.command : connection.url);
  });

  test('goes into a file in use, and out of it again', async () => {
    const [before, after] = inUse;
    const editor = await assistant.format.editor();
    const acme = assistant.entry.command({...at, command: node, args: ['bridge']});
    const made = editor.made(before, 'the file');
    expect(editor.set(before, {acme}, 'the file')).toBe(after);
    expect(editor.remove(after, ['acme'], 'the file', made)).toBe(before);
  });
};
