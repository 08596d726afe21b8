import {describe, expect, test} from 'vitest';
import {commands} from '../../src/command-line/commands.ts';
import {complete} from '../../src/command-line/completion.ts';

const entry = {
  path: '/home/ann/.cursor/mcp.json',
  project: '/home/ann',
  names: [],
  method: 'bridge',
  scope: 'user',
} as const;

const readContexts = async () => [
  {name: 'acme', entries: [{...entry, assistant: 'cursor'}]},
  {
    name: 'beta',
    entries: [
      {...entry, assistant: 'cursor'},
      {...entry, assistant: 'zed'},
    ],
  },
];

const wordsFor = async (...typed: readonly string[]) =>
  (await complete(typed, commands, readContexts)).candidates.map(({word}) => word);

test.each<[typed: string, offered: readonly string[]]>([
  ['st', ['status']],
  ['mcp ', ['connect', 'list', 'disconnect', 'tools', 'call', 'serve']],
  ['mcp dis', ['disconnect']],
  ['help mcp con', ['connect']],
  ['help sta', ['status']],
  ['logout --ev', ['--everywhere']],
  ['--layout ', ['auto', 'single', 'multi']],
  ['--layout = m', ['multi']],
  ['--layout =', ['auto', 'single', 'multi']],
  ['--layout=m', ['--layout=multi']],
  ['--no-such-flag=m', []],
  ['mcp connect --method h', ['helper', 'header']],
  ['--context b', ['beta']],
  ['--layout multi status --context a', ['acme']],
  ['context use ', ['acme', 'beta']],
  ['context use acme ', []],
  ['mcp connect cursor cod', ['codex-cli', 'code-server']],
  ['mcp disconnect ', ['cursor', 'zed']],
  ['mcp disconnect cursor z', ['zed']],
  ['--assistants cursor,cod', ['cursor,codex-cli', 'cursor,code-server']],
  ['--assistants=cursor,cod', ['--assistants=cursor,codex-cli', '--assistants=cursor,code-server']],
  ['mcp tools obs', ['observability']],
  ['mcp call control-plane ', []],
  ['completion z', ['zsh']],
  ['component list --project ', []],
  ['login --as ', ['me', 'assistants']],
  ['logout --as ', ['me', 'assistants']],
  ['explain network-ti', ['network-timeout']],
  ['no-such-command ', []],
])('%s', async (typed, offered) => {
  expect(await wordsFor(...typed.split(' '))).toEqual(offered);
});

test('an empty word is at the cursor if nothing was typed, or two quotes, as Windows PowerShell passes it', async () => {
  const first = await wordsFor('');
  expect(first).toEqual(expect.arrayContaining(['status', 'mcp', 'doctor']));
  expect(await wordsFor('""')).toEqual(first);
  expect(await wordsFor()).toEqual(first);
});

test('the shell lists files and directories by itself', async () => {
  expect(await complete(['sandbox', '--values', 'val'], commands, readContexts)).toEqual({
    candidates: [],
    paths: 'files',
  });
  expect(await complete(['mcp', 'connect', '--project-dir='], commands, readContexts)).toMatchObject({candidates: []});
});

describe('every command', () => {
  test.each(commands.map(command => [command.words.join(' '), command] as const))('%s', async (_, {words, flags}) => {
    const {candidates} = await complete([...words, '--'], commands, readContexts);
    expect(candidates.map(({word}) => word)).toEqual(flags.map(name => `--${name}`));
    expect(candidates.filter(({about}) => !about)).toEqual([]);
  });
});
