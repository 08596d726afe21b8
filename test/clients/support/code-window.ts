import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Page} from 'playwright-core';
import {onTestFinished} from 'vitest';
import {reservedPort} from '../../e2e/support/ports.ts';
import {openPage} from '../../e2e/support/sign-in/chromium.ts';
import type {Machine} from './machine.ts';

/** How long it may take to start the server and draw its window, in milliseconds. */
const START_TIMEOUT = 90_000;

/** Opens the window of a code-server for the project, in a browser. Both end with the test. */
export const openCodeWindow = async ({program, project, env}: Machine): Promise<Page> => {
  const port = await reservedPort();
  const quiet = ['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'];
  const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, ...quiet, project];
  // code-server starts other processes, so it gets a process group to kill.
  const child = spawn(program, args, {cwd: project, env, detached: true, stdio: ['ignore', 'pipe', 'ignore']});
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  await new Promise<void>(resolve => {
    // Reads standard output to the end: a pipe without a reader would end code-server.
    child.stdout.on('data', text => String(text).includes('HTTP server listening') && resolve());
  });
  const {page} = await openPage();
  await page.goto(`http://127.0.0.1:${port}/?folder=${project}`);
  await page.locator('.statusbar-item').first().waitFor({timeout: START_TIMEOUT});
  return page;
};

/** Starts an MCP server that the window knows, from its list of servers. */
export const startServer = async (page: Page, name: string) => {
  await page.keyboard.press('F1');
  for (const label of ['MCP: List Servers', name, 'Start Server']) {
    const row = page.locator('.quick-input-list .monaco-list-row', {hasText: label}).first();
    const input = page.locator('.quick-input-widget input.input').first();
    // Commands appear after typing, while the rows of the other lists exist from the start.
    if (label.startsWith('MCP')) await input.fill(`>${label}`);
    await row.waitFor({timeout: START_TIMEOUT});
    if (!label.startsWith('MCP')) await input.fill(label);
    await page
      .locator('.quick-input-list .monaco-list-row.focused', {hasText: label})
      .waitFor({timeout: START_TIMEOUT});
    await page.keyboard.press('Enter');
    await row.waitFor({state: 'hidden', timeout: START_TIMEOUT});
  }
};

/** Returns the names of the MCP servers that the window lists. */
export const listServers = async (page: Page): Promise<readonly string[]> => {
  await page.keyboard.press('F1');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await page.locator('.quick-input-widget input.input').first().fill('>MCP: List Servers');
  await rows.filter({hasText: 'MCP: List Servers'}).first().waitFor({timeout: START_TIMEOUT});
  await page.keyboard.press('Enter');
  await rows.filter({hasText: 'Add Server'}).first().waitFor({timeout: START_TIMEOUT});
  const labels = await rows.locator('.label-name').allTextContents();
  await page.keyboard.press('Escape');
  return labels.map(label => label.trim()).filter(label => !label.startsWith('Add Server'));
};
