import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Assistant} from '../../../src/assistants/assistant.ts';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Scene} from '../../../src/flows/diagnosis/check.ts';
import {assistantFiles} from '../../../src/flows/diagnosis/checks/machine-checks.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {onWindowsOr, systemHere} from '../../support/systems/system-here.ts';

/** Returns what the check finds in a home and a project with these files. Paths are relative to the home. */
const check = async (
  files: Readonly<Record<string, string>>,
  {used = [], assistants = allAssistants}: {used?: readonly string[]; assistants?: readonly Assistant[]} = {},
) => {
  const home = await temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), {recursive: true});
    await writeFile(join(home, name), text);
  }
  const place = {home, project: join(home, 'project'), system: systemHere, env: {}} as const;
  const entries = used.map(name => ({path: join(home, name)}));
  const ports = portsIn(join(home, 'setup'));
  const scene = {ports, machine: {place, assistants}, subject: {context: {entries}}} as unknown as Scene;
  return {home, finding: () => assistantFiles.run(scene)};
};

test('where no assistant has one, there is nothing to look at, and no parser is loaded', async () => {
  const assistants = allAssistants.map(one => ({
    ...one,
    format: {name: one.format.name, editor: () => Promise.reject(new Error('A parser was loaded.'))},
  }));
  expect(await (await check({}, {assistants})).finding()).toEqual({
    verdict: 'skipped',
    saw: 'no assistant has one here',
  });
});

test('those that parse are counted, each once', async () => {
  const {finding} = await check({
    '.claude.json': '{"mcpServers": {}}',
    '.codex/config.toml': '[mcp_servers.other]\ncommand = "x"\n',
    'project/mcp.json': '{}',
  });
  expect(await finding()).toEqual({verdict: 'pass', saw: '3 of 3 can be read'});
});

const gooseFile = onWindowsOr('AppData/Roaming/Block/goose/config/config.yaml', '.config/goose/config.yaml');

describe('one that does not parse is a warning with its path and line, and nothing of what stands in it', () => {
  test.each([
    ['.gemini/settings.json', '{\n  "apiKey": "hunter2-hunter2",\n}\n', 'Gemini CLI', /trailing comma.* \(line 2\)/],
    ['.codex/config.toml', 'key = "hunter2-hunter2"\n[mcp_servers\n', 'Codex CLI', /not valid TOML \(line 2\)/],
    [gooseFile, 'key: hunter2-hunter2\na: [\n', 'Goose', /not valid YAML \(line \d\)/],
    ['project/mcp.json', '{"token": "hunter2-hunter2"', 'MCP JSON (documented)', /not valid JSON \(line 1\)/],
  ])('%s', async (name, text, who, sentence) => {
    const {home, finding} = await check({[name]: text});
    const found = await finding();
    expect(found).toMatchObject({
      verdict: 'warning',
      code: 'local-file-invalid',
      saw: '0 of 1 can be read',
      sentence: expect.stringMatching(sentence),
      remedy: `Open the file in an editor, and fix what the message names. Until then, leave out ${who} when you connect your assistants.`,
    });
    expect(found.sentence).toContain(join(home, name));
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  test('and all are named, and who reads them', async () => {
    const {home, finding} = await check({
      '.gemini/settings.json': '{,}',
      '.codex/config.toml': '=',
      '.claude.json': '{}',
    });
    const {saw, sentence, remedy} = await finding();
    expect(saw).toBe('1 of 3 can be read');
    expect(sentence).toContain(join(home, '.gemini/settings.json'));
    expect(sentence).toContain(join(home, '.codex/config.toml'));
    expect(remedy).toMatch(/leave out Codex CLI, Gemini CLI when/);
  });
});

test('one of an assistant that is not here is nobody’s', async () => {
  const {finding} = await check({'project/.gemini/settings.json': '{,}'});
  expect(await finding()).toMatchObject({verdict: 'skipped'});
});

test('one with entries of the context is told by the check of these', async () => {
  const {finding} = await check({'.gemini/settings.json': '{,}'}, {used: ['.gemini/settings.json']});
  expect(await finding()).toEqual({verdict: 'skipped', saw: 'no other files; those with entries are checked below'});
});

onUnix('one that cannot be read says so', async () => {
  const {home, finding} = await check({'.qwen/other': ''});
  // A link to itself cannot be read, even by root.
  await symlink('settings.json', join(home, '.qwen/settings.json'));
  expect(await finding()).toMatchObject({
    verdict: 'warning',
    sentence: expect.stringContaining('cannot be read (ELOOP)'),
    remedy: expect.stringContaining('permissions'),
  });
});
