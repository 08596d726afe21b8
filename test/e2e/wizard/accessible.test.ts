import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Terminal} from '../../support/terminal/terminal.ts';
import {demoDirectory, readDemo} from '../support/files.ts';
import {platformForTest} from '../support/platform.ts';
import {expectPromptOnOwnLine, expectRestored} from '../support/restored.ts';
import {surroundingsForTest} from '../support/run.ts';
import {expectWithout} from '../support/secrets.ts';
import {addressIn, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {storeIn} from '../support/store.ts';
import {openSetup} from '../support/wizard.ts';

/** Cursor movements up and erasures of the screen, which would remove lines that have to stay. */
const redrawing = /\u001B\[\d*A|\u001B\[[23]J|\u001B\[\d*;\d*H/;

const through = ['Use this deployment', 'Create an MCP client', 'Yes: MCP JSON'] as const;

/** Presses Enter twice: the first press shows the changes, the second writes them. */
const writeThem = async (terminal: Terminal) => {
  await terminal.waitFor(/1\. Write the changes[\s\S]*press Enter for 2\./);
  terminal.press('enter');
  await terminal.waitFor(/\+ +"mcpServers": \{[\s\S]*1\. Write the changes[\s\S]*press Enter for 1\./);
  terminal.press('enter');
};

test.each([
  ['--accessible', {}, ['--accessible']],
  ['ACCESSIBLE', {ACCESSIBLE: '1'}, []],
  ['INK_SCREEN_READER', {INK_SCREEN_READER: 'true'}, []],
  ['a terminal that cannot redraw', {TERM: 'dumb'}, []],
])('the demonstration in lines that stay: %s', async (_name, env, args) => {
  const terminal = openSetup(['demo', '--keep', ...args], {env, rows: 60});
  for (const wanted of through) {
    await terminal.waitFor(new RegExp(`\\d\\. ${wanted}[\\s\\S]*\\n> ?$`));
    terminal.press('enter');
  }
  await writeThem(terminal);
  expect(await terminal.exit).toBe(0);
  expect(terminal.raw()).not.toMatch(redrawing);
  expect(terminal.transcript()).toMatch(/All set: your assistants can reach the platform/);
  expect(terminal.transcript()).toMatch(/control plane [1-9]\d* tools/);
  // The demonstration has a home of its own.
  expect(terminal.transcript()).toContain('Written: home/credentials.json');
  expect(terminal.transcript()).not.toContain('~/');
  expectRestored(terminal);
  expectPromptOnOwnLine(terminal);
  const {token, clientSecret} = readDemo(demoDirectory(terminal.temporary));
  expectWithout(terminal.raw(), token, clientSecret);
});

test('a browser sign-in in lines that stay: the address can be copied, and it goes on by itself', async () => {
  const platform = await platformForTest();
  const {setupHome, temporary: project, env} = surroundingsForTest();
  const terminal = openSetup(
    ['--accessible', '--no-browser', '--method', 'header', ...platform.flags, '--project', project],
    {
      env,
      rows: 60,
    },
  );
  for (const wanted of ['Use this deployment', 'In the browser']) {
    await terminal.waitFor(new RegExp(`1\\. ${wanted}[\\s\\S]*\\n> ?$`));
    terminal.press('1', 'enter');
  }
  const url = await addressIn(terminal);
  await terminal.waitFor('1. Paste the address that the browser ended up at');
  await signInAndReturn(url);
  await terminal.waitFor('1. Yes: MCP JSON');
  terminal.press('enter');
  await writeThem(terminal);
  expect(await terminal.exit).toBe(0);
  const {accessToken = ''} = storeIn(setupHome).only();
  expect(readFileSync(join(project, '.mcp.json'), 'utf8')).toContain(accessToken);
  expectWithout(terminal.raw(), accessToken);
});

test.each(['xterm-256color', 'dumb'])(
  'a secret is not shown, and a wrong one is said to be wrong: TERM=%s',
  async TERM => {
    const platform = await platformForTest();
    const terminal = openSetup(['--accessible', ...platform.flags], {rows: 60, env: {TERM}});
    await terminal.waitFor('1. Use this deployment');
    terminal.press('1', 'enter');
    await terminal.waitFor(/\d\. With a service account[\s\S]*\n> ?$/);
    const [, number = ''] = /(\d)\. With a service account/.exec(terminal.transcript()) ?? [];
    terminal.press(number, 'enter');
    await terminal.waitFor('Client ID (< to go back):');
    terminal.press('nobody', 'enter');
    await terminal.waitFor('Client secret (not shown');
    terminal.press('hunter2-hunter2', 'enter');
    await terminal.waitFor('The identity provider does not accept the client ID and its secret');
    expectWithout(terminal.raw(), 'hunter2-hunter2');
    terminal.press('q', 'enter');
    expect(await terminal.exit).toBe(4);
  },
);

test.each([
  ['at a question', '1. Use this deployment'],
  ['while it works', 'Platform setup'],
])('Ctrl-C leaves at once %s', async (_when, wanted) => {
  const terminal = openSetup(['demo', '--accessible'], {rows: 60});
  await terminal.waitFor(wanted);
  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(130);
  expectRestored(terminal);
});
