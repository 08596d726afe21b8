import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {scopeFor} from '../../../src/assistants/scope-for.ts';
import {clientOf} from '../../support/platform.ts';
import {openTerminal} from '../../support/terminal/terminal.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {platformForTest} from '../support/platform.ts';
import {goTo, openSetup, reaches} from '../support/wizard.ts';

const bash = '/bin/bash';

test.skipIf(!existsSync(bash))(
  'Ctrl-Z stops it with the terminal in order, and fg draws it again with its keys',
  async () => {
    const {flags} = await platformForTest();
    const shell = openTerminal(bash, ['--norc', '--noprofile', '-i'], {
      env: {PS1: 'shell> ', PATH: '/usr/bin:/bin'},
      rows: 40,
    });
    onTestFinished(() => shell.close());
    await shell.waitFor('shell>');
    const line = [process.execPath, launcher, ...flags].map(word => `'${word}'`).join(' ');
    shell.press(line, 'enter');
    await reaches(shell, 'deployment');
    shell.press('\u001A');
    await shell.waitFor('Stopped');
    // The terminal is in line mode again, and shows the cursor.
    shell.press('stty -a | grep -o -- " icanon"; echo in-order', 'enter');
    await shell.waitFor(/ icanon\s+in-order/);
    expect(shell.raw().lastIndexOf('\u001B[?25h')).toBeGreaterThan(shell.raw().lastIndexOf('\u001B[?25l'));
    shell.press('fg', 'enter');
    await reaches(shell, 'deployment');
    shell.press('down');
    await shell.waitFor('❯ Change an address');
    shell.press('ctrl-c');
    await shell.waitFor(/shell> $/);
  },
);

test('nothing is written that mosh does not know: no cursor next line, no cursor previous line', async () => {
  const {ready, flags} = await platformForTest();
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const terminal = openSetup([...flags, '--assistants', 'none'], {
    env: {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret},
  });
  await goTo(terminal, 'sign-in');
  terminal.press('down', 'up', 'enter');
  await reaches(terminal, 'review');
  terminal.press('enter');
  await reaches(terminal, 'done');
  terminal.press('enter');
  await terminal.exit;
  expect(terminal.raw()).not.toMatch(/\u001B\[\d*[EF]/);
});

describe('the scrollback', () => {
  const place = {home: '/home/ann', project: '/home/ann/p', system: 'linux', env: {}} as const;
  const many = allAssistants
    .filter(one => scopeFor(one, 'user', place) === 'user' && one.files('user', place).length > 0)
    .slice(0, 17)
    .map(({id}) => id);

  test.each([
    {columns: 80, rows: 24},
    {columns: 60, rows: 20},
    {columns: 40, rows: 12},
  ])('has no copy of a progress or of the end with 17 assistants at $columns x $rows', async size => {
    const {ready, flags} = await platformForTest();
    const {clientId, secret} = clientOf(ready, 'client_secret_post');
    const terminal = openSetup(
      [
        ...flags,
        '--sign-in',
        'service-account',
        '--assistants',
        many.join(','),
        '--method',
        'header',
        '--scope',
        'user',
      ],
      {...size, env: {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret}},
    );
    mkdirSync(join(terminal.home, '.claude'), {recursive: true});
    await reaches(terminal, 'deployment');
    terminal.press('enter');
    await reaches(terminal, 'review');
    terminal.press('enter');
    await terminal.waitFor(/All set: your assistants can\s+reach/);
    const copies = (text: string) => terminal.transcript().split(text).length - 1;
    expect([copies('Testing the new configuration'), copies('Checking that everything'), copies('All set:')]).toEqual([
      0, 0, 1,
    ]);
    terminal.press('enter');
    await terminal.exit;
    // The last frame is taller than the terminal, and appears whole.
    expect([copies('All set:'), copies('~/.kiro/settings/mcp.json'), copies('enter leave')]).toEqual([1, 1, 0]);
  });
});

describe('a screen that waits', () => {
  /** Returns how many bytes are written each time that the clock on the screen advances. */
  const bytesATick = async (terminal: ReturnType<typeof openSetup>, shown: RegExp, ticks: number) => {
    const clock = () => shown.exec(terminal.screen())?.[0];
    const next = async (before: string | undefined) =>
      terminal.until('The next second', () => (clock() === before ? undefined : (clock() ?? '')));
    let at = await next(clock());
    const from = terminal.raw().length;
    for (let tick = 0; tick < ticks; tick += 1) at = await next(at);
    return (terminal.raw().length - from) / ticks;
  };

  test('for a person sends at most 100 bytes a second', async () => {
    const {flags} = await platformForTest();
    const terminal = openSetup([...flags, '--sign-in', 'browser', '--no-browser']);
    await reaches(terminal, 'deployment');
    terminal.press('enter');
    await terminal.waitFor('Waiting for your browser');
    expect(await bytesATick(terminal, /\d:\d\d left/, 3)).toBeLessThanOrEqual(100);
  });

  test('for a server sends at most 100 bytes a second', async () => {
    const {flags} = await platformForTest({faults: ['slow-idp']});
    const terminal = openSetup([...flags, '--sign-in', 'browser', '--no-browser']);
    await reaches(terminal, 'deployment');
    terminal.press('enter');
    await terminal.waitFor('Signing in');
    expect(await bytesATick(terminal, /\d+ of \d+ s/, 3)).toBeLessThanOrEqual(100);
  });
});
