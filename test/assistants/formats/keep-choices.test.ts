import {expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {isOff, keepChoices} from '../../../src/assistants/formats/keep-choices.ts';

const entry = {command: 'npx', args: ['setup']};
const kept = ['timeout', 'alwaysAllow'];

// Which tools a person lets run, or shuts out, and how long each client waits for them.
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
  expect(keepChoices(entry, present, assistant.entry, 'project')).toEqual({...entry, [key]: ['list_projects']});
});

test('a choice of the person’s comes before one of ours', () => {
  expect(keepChoices({...entry, timeout: 60}, {timeout: 5}, {kept}, 'user')).toEqual({...entry, timeout: 5});
});

test('what else stood in an entry goes with it', () => {
  expect(keepChoices(entry, {disabled: true, url: 'https://before', x: 1}, {kept}, 'user')).toEqual(entry);
});

test('variables and a working directory stay in a file of the person’s own, and not in one that others write to', () => {
  const present = {...entry, env: {HTTPS_PROXY: 'http://proxy'}, cwd: '/srv', timeout: 5};
  expect(keepChoices(entry, present, {kept}, 'user')).toEqual(present);
  expect(keepChoices(entry, present, {kept}, 'project')).toEqual({...entry, timeout: 5});
  const shape = {kept, keptInOwnFile: ['envs']};
  expect(keepChoices(entry, {envs: {A: '1'}, env: {}}, shape, 'user')).toEqual({...entry, envs: {A: '1'}});
});

test.each([
  [['disabled', true], {disabled: true}, true],
  [['disabled', true], {disabled: false}, false],
  [['disabled', true], {}, false],
  [['enabled', false], {enabled: false}, true],
  [['enabled', false], {enabled: true}, false],
  [undefined, {disabled: true, enabled: false}, false],
] as const)('by %j, %j is off: %s, and stays so', (off, present, is) => {
  const shape = off === undefined ? {kept} : {kept, off};
  expect(isOff(present, shape)).toBe(is);
  const switches = {disabled: false, enabled: true};
  const again = keepChoices({...entry, ...switches}, present, shape, 'project');
  expect(again).toEqual({...entry, ...switches, ...(is && off ? {[off[0]]: off[1]} : {})});
});

test.each([undefined, null, 'text', []])('%j is no entry whose choices could stay', present => {
  expect(keepChoices(entry, present, {kept}, 'user')).toEqual(entry);
});
