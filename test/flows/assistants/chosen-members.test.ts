import {existsSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Scope} from '../../../src/domain/context.ts';
import {foreignKeysIn} from '../../../src/flows/assistants/verify-entries.ts';
import {machine} from './support/machine.ts';

const name = 'acme-control-plane';

/** Members that a person may write into an entry of each client, by the client's own schema. */
const chosen: readonly (readonly [id: string, members: Readonly<Record<string, unknown>>])[] = [
  ['vscode', {sandboxEnabled: true, sandbox: {network: {allowedDomains: ['a.example']}}, dev: {watch: 'src/**'}}],
  ['code-server', {sandboxEnabled: true}],
  [
    'codex-cli',
    {
      default_tools_approval_mode: 'prompt',
      supports_parallel_tool_calls: true,
      required: true,
      enabled_tools: ['list_projects'],
    },
  ],
  ['claude-code', {alwaysLoad: true, tools: ['list_projects'], toolPermissions: {list_projects: 'ask'}, timeout: 5}],
  ['copilot-cli', {deferTools: false, filterMapping: {a: 'b'}, tools: ['list_projects']}],
  ['factory-droid', {connectTimeout: 5000, disabledTools: ['delete_project']}],
  ['kimi-code', {startupTimeoutMs: 5000, toolTimeoutMs: 5000, disabledTools: ['delete_project']}],
];

const scopes: readonly Scope[] = ['user', 'project'];

describe.each(chosen)('%s', (id, members) => {
  test.each(scopes)('keeps what the person chose when it is connected again, scope %s', async scope => {
    const at = await machine();
    const assistant = allAssistants.find(one => one.id === id) ?? expect.fail();
    const editor = await assistant.format.editor();
    const path = at.fileOf(id, scope);
    const read = async () => editor.read(await readFile(path, 'utf8'), path)[name];

    await at.connect([id, scope, 'bridge']);
    const written = await read();
    const edited = editor.set(await readFile(path, 'utf8'), {[name]: {...(written as object), ...members}}, path);
    await writeFile(path, edited);
    await at.connect([id, scope, 'bridge']);
    expect(await readFile(path, 'utf8')).toBe(edited);

    // The proof and the diagnosis start the entry in this way.
    const {entries, ...means} = at.input([]);
    const entry = await read();
    const found = {entry, connection: assistant.entry.read(entry) ?? expect.fail(), scope, readers: [assistant]};
    expect(foreignKeysIn(found, entries[0], means)).toEqual([]);

    await at.disconnect();
    expect(existsSync(path)).toBe(false);
  });
});
