import {expect, test} from 'vitest';
import {keepChoices} from '../../../src/assistants/formats/keep-choices.ts';

const entry = {command: 'npx', args: ['setup']};

test.each([
  'alwaysAllow',
  'autoApprove',
  'disabledTools',
  'disabled_tools',
  'enabled_tools',
  'excludeTools',
  'includeTools',
  'startup_timeout_sec',
  'timeout',
  'tool_timeout_sec',
  'tools',
  'trust',
])('%s is the person’s, and stays', key => {
  expect(keepChoices(entry, {command: 'before', [key]: ['list_projects']})).toEqual({
    ...entry,
    [key]: ['list_projects'],
  });
});

test('a choice of the person’s comes before one of ours', () => {
  expect(keepChoices({...entry, timeout: 60}, {timeout: 5})).toEqual({...entry, timeout: 5});
});

test('whether an entry is off, and what else stood in it, goes with it', () => {
  expect(keepChoices(entry, {disabled: true, enabled: false, url: 'https://before', env: {}})).toEqual(entry);
});

test.each([undefined, null, 'text', []])('%j is no entry whose choices could stay', present => {
  expect(keepChoices(entry, present)).toEqual(entry);
});
