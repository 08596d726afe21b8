import {expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {keepChoices} from '../../../src/assistants/formats/keep-choices.ts';

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
  ['gemini-cli', 'excludeTools'],
  ['gemini-cli', 'includeTools'],
  ['gemini-cli', 'trust'],
  ['generic', 'alwaysAllow'],
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
  expect(keepChoices(entry, present, assistant.entry)).toEqual({...entry, [key]: ['list_projects']});
});

test('nobody counts it among the person’s choices whether an entry is off', () => {
  const keys = allAssistants.flatMap(({entry: shape}) => shape.kept);
  expect(keys.filter(key => key === 'disabled' || key === 'enabled')).toEqual([]);
});

test('a choice of the person’s comes before one of ours', () => {
  expect(keepChoices({...entry, timeout: 60}, {timeout: 5}, {kept})).toEqual({...entry, timeout: 5});
});

test('what else stood in an entry goes with it', () => {
  expect(keepChoices(entry, {disabled: true, url: 'https://before', env: {}}, {kept})).toEqual(entry);
});

test.each([undefined, null, 'text', []])('%j is no entry whose choices could stay', present => {
  expect(keepChoices(entry, present, {kept})).toEqual(entry);
});
