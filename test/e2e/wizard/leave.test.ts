import {once} from 'node:events';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {serve} from '../../support/server.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {demoDirectory, filesBelow} from '../support/files.ts';
import {isRefused, openConnection, sandboxPorts} from '../support/ports.ts';
import {expectPromptOnOwnLine, expectRestored} from '../support/restored.ts';
import {surroundingsForTest} from '../support/run.ts';
import {goTo, openSetup, type ScreenName} from '../support/wizard.ts';

test.each<ScreenName>(['deployment', 'sign-in', 'assistants', 'review'])(
  'Ctrl-C leaves at once on the screen %s',
  async name => {
    const terminal = openSetup(['demo']);
    const ports = sandboxPorts(await goTo(terminal, 'deployment'));
    await goTo(terminal, name);
    terminal.press('ctrl-c');

    expect(await terminal.exit).toBe(130);
    expectRestored(terminal);
    expectPromptOnOwnLine(terminal);
    expect(filesBelow(terminal.temporary)).toEqual([]);
    for (const port of ports) expect(await isRefused(port)).toBe(true);
  },
);

test('Ctrl-C leaves while the sandbox is still starting', async () => {
  const terminal = openSetup(['demo']);
  await terminal.waitFor('Platform setup');
  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(130);
  expectRestored(terminal);
  expect(filesBelow(terminal.temporary)).toEqual([]);
});

test('Ctrl-C leaves while addresses are being probed', async () => {
  // This server accepts every call and never answers.
  const silent = await serve(() => {});
  const addresses = ['--control-plane-url', silent, '--observer-url', silent, '--auth-url', silent];
  const terminal = openSetup(addresses);
  await terminal.waitFor(/Looking for[\s\S]*127\.0\.0\.1:\d+/);
  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(130);
  expectRestored(terminal);
});

test('Ctrl-C while the changes are written leaves all of them and says so, or none', async () => {
  const terminal = openSetup(['demo', '--keep']);
  await goTo(terminal, 'review');
  terminal.press('enter');
  await terminal.until('The writing', () => (terminal.screen().includes('enter write') ? undefined : true));
  terminal.press('ctrl-c');
  const code = await terminal.exit;
  const paths = filesBelow(demoDirectory(terminal.temporary)).map(({path}) => path);
  const isWritten = paths.includes('home/config.json');
  expect(paths.includes('project/.mcp.json')).toBe(isWritten);
  for (const path of ['home/.claude.json', 'home/.cursor/mcp.json']) {
    const text = readFileSync(join(demoDirectory(terminal.temporary), path), 'utf8');
    expect(text.includes('control-plane')).toBe(isWritten);
  }
  // A person who leaves once everything is checked has left the last screen.
  const isSaid = terminal.transcript().includes('was written, but not checked');
  expect(isSaid).toBe(isWritten && code !== 0);
  expectRestored(terminal);
});

test('Ctrl-C on the last screen leaves what was written, and is no failure', async () => {
  const terminal = openSetup(['demo', '--keep']);
  await goTo(terminal, 'done');
  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(0);
  expectRestored(terminal);
  const paths = filesBelow(demoDirectory(terminal.temporary)).map(({path}) => path);
  expect(paths).toContain('project/.mcp.json');
});

test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends it as Ctrl-C does', async signal => {
  const terminal = openSetup(['demo']);
  const ports = sandboxPorts(await goTo(terminal, 'deployment'));
  process.kill(terminal.pid, signal);
  expect(await terminal.exit).toBe(130);
  expectRestored(terminal);
  for (const port of ports) expect(await isRefused(port)).toBe(true);
});

onUnix.each(['screens', 'dialogue'])(
  'a terminal that is closed leaves nothing of the demonstration: %s',
  async face => {
    const terminal = openSetup(['demo', ...(face === 'dialogue' ? ['--accessible'] : [])]);
    await goTo(terminal, 'deployment');
    expect(readdirSync(terminal.temporary)).toHaveLength(1);
    terminal.hangUp();
    await vi.waitFor(() => expect(readdirSync(terminal.temporary)).toEqual([]), {timeout: 10_000});
  },
);

test('the sandbox ends with the wizard, also when that is killed', async () => {
  const terminal = openSetup(['demo']);
  const ports = sandboxPorts(await goTo(terminal, 'deployment'));
  const connections = await Promise.all(ports.map(openConnection));
  const ends = connections.map(connection => once(connection, 'close'));
  process.kill(terminal.pid, 'SIGKILL');
  await Promise.all(ends);
  for (const port of ports) expect(await isRefused(port)).toBe(true);
});

test('what goes wrong before the first screen is said where the title stood', async () => {
  const surroundings = surroundingsForTest();
  mkdirSync(surroundings.setupHome, {recursive: true, mode: 0o700});
  writeFileSync(join(surroundings.setupHome, 'config.json'), '{"version": 1, "contexts": [}', {mode: 0o600});
  const terminal = openSetup([], {env: surroundings.env, columns: 60});
  expect(await terminal.exit).toBe(6);
  expect(terminal.screen()).toMatch(/^\s*\S*config\.json cannot\s+be\s+used: it is not\s+JSON\b/);
  expectPromptOnOwnLine(terminal);
});

test('keys that are typed before the first frame leave nothing on the screen', async () => {
  const terminal = openSetup(['demo']);
  await terminal.waitFor('Platform setup');
  terminal.press('enter', 'x', 'enter');
  await terminal.waitFor('Use this deployment');
  const titles = terminal.transcript().match(/Platform setup/g);
  expect(titles).toHaveLength(1);
  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(130);
  expectRestored(terminal);
});
