import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {onPath} from '../cluster/support/tools.ts';
import {platformForTest} from '../e2e/support/platform.ts';
import {missingOf} from '../support/terminal/programs.ts';
import {openTerminal} from '../support/terminal/terminal.ts';
import {launcher} from '../support/terminal/terminal-environment.ts';

const missing = missingOf('tmux');

test.skipIf(missing.length > 0)('in tmux as it comes, c puts the address into its buffer', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'setup-test-'));
  onTestFinished(() => rmSync(directory, {recursive: true, force: true, maxRetries: 5}));
  const {flags} = await platformForTest();
  const tmux = onPath('tmux') ?? '';
  const settings = join(directory, 'tmux.conf');
  // Without settings, so that the test covers tmux's default use of the clipboard.
  writeFileSync(settings, '');
  const socket = join(directory, 'socket');
  const kept = {HOME: directory, SETUP_HOME: join(directory, 'setup'), TMPDIR: directory, LANG: 'C.UTF-8'};
  const env = {...kept, PATH: dirname(tmux)};
  const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const command = [onPath('env') ?? '', ...words, process.execPath, launcher, ...flags, '--no-browser'];
  const signIn = [...command, '--sign-in', 'browser'];
  const args = ['-u', '-f', settings, '-S', socket, 'new-session', '--', ...signIn];
  const terminal = openTerminal(tmux, args, {columns: 200, rows: 40});
  onTestFinished(() => terminal.close());
  await terminal.waitFor('Use this deployment');
  terminal.press('enter');
  await terminal.waitFor('c copy');
  terminal.press('c');
  await terminal.waitFor('c copied to tmux');
  const {stdout} = spawnSync(tmux, ['-S', socket, 'show-buffer'], {encoding: 'utf8'});
  expect(stdout).toMatch(/^https?:\/\/\S+[?&](?:client_id|response_type)=\S+$/);
  terminal.press('ctrl-c');
  await terminal.exit;
});
