import {join} from 'node:path';
import {expect, test} from 'vitest';
import {demoDirectory, filesBelow, filesOutsideCache, modeOf, readDemo} from '../support/files.ts';
import {expectPromptOnOwnLine, expectRestored} from '../support/restored.ts';
import {expectWithout} from '../support/secrets.ts';
import {goTo, openSetup, screenNames} from '../support/wizard.ts';

const jwt = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

test.each([
  {columns: 100, rows: 30},
  {columns: 60, rows: 20},
  {columns: 40, rows: 20},
])('Enter leads through the demonstration at $columns × $rows', async size => {
  const terminal = openSetup(['demo', '--keep'], size);
  await goTo(terminal, 'done');
  // Lines that did not fit have scrolled up, where a person can still read them.
  expect(terminal.transcript()).toMatch(/control plane\s+[1-9]\d* tools/);
  expect(terminal.transcript()).toMatch(/observability\s+[1-9]\d* tools/);
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  expectRestored(terminal);
  expectPromptOnOwnLine(terminal);

  const {mcpPath, credentialsPath, token, clientSecret} = readDemo(demoDirectory(terminal.temporary));
  expect(modeOf(mcpPath)).toBe(0o600);
  expect(modeOf(credentialsPath)).toBe(0o600);
  expectWithout(terminal.raw(), token, clientSecret);
});

test('the MCP JSON holds no token, which is in the credentials and nowhere else', async () => {
  const terminal = openSetup(['demo', '--keep']);
  await goTo(terminal, 'done');
  terminal.press('enter');
  await terminal.exit;

  const directory = demoDirectory(terminal.temporary);
  const {mcp, token, clientSecret} = readDemo(directory);
  expect(token).toMatch(jwt);
  const args = (server: string) => expect.arrayContaining(['mcp', 'serve', server]);
  expect(mcp.mcpServers).toMatchObject({
    'platform-control-plane': {args: args('control-plane')},
    'platform-observability': {args: args('observability')},
  });

  const holding = (secret: string) =>
    filesBelow(terminal.temporary)
      .filter(({text}) => text.includes(secret))
      .map(({path}) => path.slice(path.indexOf('/') + 1));
  expect(holding(token)).toEqual(['home/credentials.json']);
  expect(holding(clientSecret)).toEqual(['home/credentials.json']);
  expect(modeOf(join(directory, 'home'))).toBe(0o700);
  expect(filesOutsideCache(terminal.home)).toEqual([]);
});

test('the last screen names the files that were written, and where they are', async () => {
  const terminal = openSetup(['demo'], {columns: 140});
  const screen = await goTo(terminal, 'done');
  const directory = demoDirectory(terminal.temporary);
  expect(screen).toContain(directory);
  const written = filesBelow(directory).map(({path}) => path);
  for (const path of ['project/.mcp.json', 'home/config.json', 'home/credentials.json']) {
    expect(screen).toContain(path);
    expect(written).toContain(path);
  }
});

test('from the first question to what is written and checked, it is four keys and none of them typing', async () => {
  const terminal = openSetup(['demo', '--layout', 'multi']);
  const screen = await goTo(terminal, 'deployment');
  expect(screen).toContain('multi-cluster');
  const questions = screenNames.slice(0, screenNames.indexOf('done'));
  expect(questions.length).toBeLessThanOrEqual(6);
  // Enter answers every question.
  await goTo(terminal, 'done');
  expect(terminal.transcript()).toMatch(/control plane\s+[1-9]\d* tools/);
});
