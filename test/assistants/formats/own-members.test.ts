import {expect, test} from 'vitest';
import type {EntryShape} from '../../../src/assistants/assistant.ts';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {isOff} from '../../../src/assistants/formats/choices.ts';
import {program} from '../../../src/assistants/formats/entries.ts';
import {renewedEntry} from '../../../src/assistants/formats/own-members.ts';
import type {Scope} from '../../../src/domain/context.ts';
import {digestOf, membersOf} from '../../../src/domain/written-entry.ts';

const entry = {command: 'npx', args: ['setup']};
const kept = ['timeout', 'alwaysAllow'];
const shapeOf = (more: Partial<EntryShape> = {}): EntryShape => ({
  ...{preserved: kept, shown: [], read: () => undefined, command: program},
  ...more,
});
/** Renews an entry without a record of what was written. */
const renew = (wanted: object, present: unknown, shape: EntryShape, scope: Scope) =>
  renewedEntry(wanted, {entry: present, written: [], scope}, shape);
/** Returns the record of a written entry. */
const recordOf = (written: object) => ({
  connection: '',
  members: Object.fromEntries([...membersOf(written)].map(([pointer, value]) => [pointer, digestOf(value)])),
});

// Members for the tools that a person allows or excludes, and for the client's timeout.
test.each([
  ['antigravity', 'disabledTools'],
  ['amp', 'includeTools'],
  ['claude-code', 'timeout'],
  ['claude-desktop', 'alwaysAllow'],
  ['cline', 'autoApprove'],
  ['codex-cli', 'disabled_tools'],
  ['codex-cli', 'enabled_tools'],
  ['codex-cli', 'startup_timeout_sec'],
  ['codex-cli', 'tool_timeout_sec'],
  ['codex-cli', 'tools'],
  ['continue', 'timeout'],
  ['copilot-cli', 'tools'],
  ['cursor', 'alwaysAllow'],
  ['factory-droid', 'disabledTools'],
  ['factory-droid', 'enabledTools'],
  ['gemini-cli', 'excludeTools'],
  ['gemini-cli', 'includeTools'],
  ['gemini-cli', 'trust'],
  ['generic', 'alwaysAllow'],
  ['goose', 'available_tools'],
  ['goose', 'timeout'],
  ['junie', 'disabledTools'],
  ['kilo-code', 'timeout'],
  ['kiro', 'autoApprove'],
  ['opencode', 'timeout'],
  ['qwen-code', 'trust'],
  ['roo-code', 'alwaysAllow'],
  ['vscode', 'timeout'],
  ['windsurf', 'disabledTools'],
  ['zed', 'timeout'],
])('at %s, %s is the person’s and stays', (id, key) => {
  const assistant = allAssistants.find(one => one.id === id);
  if (!assistant) throw new Error(`There is no ${id}.`);
  const present = {command: 'before', [key]: ['list_projects']};
  expect(renew(entry, present, assistant.entry, 'project')).toMatchObject({[key]: ['list_projects']});
});

test('a choice of the person’s comes before one of ours', () => {
  const shape = shapeOf({command: entry => ({...program(entry), timeout: 60})});
  expect(renew({...entry, timeout: 60}, {timeout: 5}, shape, 'user')).toEqual({...entry, timeout: 5});
});

test('what this program did not write stays, in a map as well', () => {
  const shape = shapeOf({header: ({url}) => ({url, headers: {Authorization: 'x'}})});
  const present = {url: 'https://before', headers: {Authorization: 'y', 'X-Team': 'a'}, x: 1};
  expect(renew(entry, present, shape, 'user')).toEqual({...entry, headers: {'X-Team': 'a'}, x: 1});
});

test('what is recorded decides: a member that was changed since stays', () => {
  const before = {command: 'node', args: ['a'], timeout: 300, enabled: true};
  const shape = shapeOf();
  const present = {...before, timeout: 900, 'a/b': {'~': 1}};
  const wanted = {command: 'deno', args: ['b'], timeout: 300, enabled: true};
  const renewed = renewedEntry(wanted, {entry: present, written: [recordOf(before)], scope: 'user'}, shape);
  expect(renewed).toEqual({...wanted, timeout: 900, 'a/b': {'~': 1}});
  // A member that the program no longer writes is removed if the person has not changed it.
  const without = renewedEntry(entry, {entry: before, written: [recordOf(before)], scope: 'user'}, shape);
  expect(without).toEqual(entry);
});

test('variables and a working directory stay in a file of the person’s own, and not in one that others write to', () => {
  const present = {...entry, env: {HTTPS_PROXY: 'http://proxy'}, cwd: '/srv', timeout: 5};
  expect(renew(entry, present, shapeOf(), 'user')).toEqual(present);
  expect(renew(entry, present, shapeOf(), 'project')).toEqual({...entry, timeout: 5});
});

test.each([
  [['disabled', true], {disabled: true}, true],
  [['disabled', true], {disabled: false}, false],
  [['disabled', true], {}, false],
  [['enabled', false], {enabled: false}, true],
  [['enabled', false], {enabled: true}, false],
  [undefined, {disabled: true, enabled: false}, false],
] as const)('by %j, %j is off: %s, and stays so', (off, present, is) => {
  const switches = {disabled: false, enabled: true};
  const shape = shapeOf({command: entry => ({...program(entry), ...switches}), ...(off ? {off} : {})});
  expect(isOff(present, shape)).toBe(is);
  const again = renew({...entry, ...switches}, present, shape, 'project');
  expect(again).toEqual({...entry, ...switches, ...(is && off ? {[off[0]]: off[1]} : {})});
});

test.each([undefined, null, 'text', []])('%j is no entry whose members could stay', present => {
  expect(renew(entry, present, shapeOf(), 'user')).toEqual(entry);
});
