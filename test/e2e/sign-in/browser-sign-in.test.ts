import {readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {signInAt} from '../../support/browser.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {filesBelow, modeOf} from '../support/files.ts';
import {platformForTest} from '../support/platform.ts';
import {heldPort, holdPort, isRefused, openConnection, untilRefused} from '../support/ports.ts';
import {expectPromptOnOwnLine, expectRestored} from '../support/restored.ts';
import {surroundingsForTest} from '../support/run.ts';
import {flagsFor} from '../support/sandbox.ts';
import {expectWithout} from '../support/secrets.ts';
import {addressesIn, addressIn, signInAndReturn, waitForBrowser} from '../support/sign-in/sign-in.ts';
import {storeIn} from '../support/store.ts';
import {choose, openSetup, reaches, toReview} from '../support/wizard.ts';

test('in the browser: from the choice to entries that answer', async () => {
  const platform = await platformForTest();
  const {home, setupHome, temporary: project, env} = surroundingsForTest();
  const store = storeIn(setupHome);
  const {terminal, url} = await waitForBrowser(platform, {env, args: ['--project', project, '--method', 'header']});
  await signInAndReturn(url);
  await toReview(terminal);
  terminal.press('enter');
  await reaches(terminal, 'done');
  expect(terminal.transcript()).toMatch(/control plane\s+[1-9]\d* tools/);
  expect(terminal.transcript()).toMatch(/observability\s+[1-9]\d* tools/);
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);

  const {accessToken = '', refreshToken = ''} = store.only();
  const path = join(project, '.mcp.json');
  const {mcpServers} = JSON.parse(readFileSync(path, 'utf8'));
  for (const label of ['platform-control-plane', 'platform-observability']) {
    expect(mcpServers[label].headers).toEqual({Authorization: `Bearer ${accessToken}`});
  }
  expect([modeOf(path), modeOf(store.credentialsPath)]).toEqual([0o600, 0o600]);
  expectWithout(terminal.raw(), accessToken, refreshToken);
  expectWithout(
    filesBelow(home)
      .map(({path, text}) => (path.endsWith('credentials.json') ? '' : text))
      .join(),
    accessToken,
    refreshToken,
  );
});

// Only a port that the system hands out keeps a listener away. As soon as it is free, the system may give it to
// another connection of this machine for longer than the test waits, so the test is repeated with another port.
test('a port that a closed connection holds is tried again until it is free', {retry: 3}, async () => {
  const holder = await openConnection(await heldPort());
  const redirectUri = `http://127.0.0.1:${holder.localPort}/auth-callback`;
  const platform = await platformForTest({redirectUri});
  const terminal = openSetup([
    ...flagsFor(platform.ready),
    '--redirect-uri',
    redirectUri,
    '--sign-in',
    'browser',
    '--no-browser',
  ]);
  await reaches(terminal, 'deployment');
  terminal.press('enter');
  await terminal.waitFor(/Port \d+ .*briefly held by a closed connection\. Retrying…/);
  // Reset rather than ended, so that nothing is left of the connection.
  holder.resetAndDestroy();
  await terminal.waitFor('Waiting for your browser');
});

test('Esc goes back and frees the port; forward again is a fresh attempt', async () => {
  const platform = await platformForTest();
  const {terminal, url} = await waitForBrowser(platform);
  terminal.press('esc');
  await terminal.waitFor('❯ In the browser');
  await untilRefused(platform.port);
  terminal.press('enter');
  const again = await terminal.until('Another address', () => addressesIn(terminal.raw()).find(one => one !== url));
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(new URL(again).searchParams.get(name)).not.toBe(new URL(url).searchParams.get(name));
  }
  await signInAndReturn(again);
  await toReview(terminal);
});

test.each([
  {what: 'the address that the browser ended on', pasted: (url: URL) => url.href},
  {what: 'the bare code', pasted: (url: URL) => url.searchParams.get('code') ?? ''},
])('p takes $what', async ({pasted}) => {
  const {terminal, url} = await waitForBrowser(await platformForTest());
  const answer = await signInAt(url);
  terminal.press('p');
  await terminal.waitFor('Paste the address that the browser ended up at');
  terminal.press('nonsense that is no answer', 'enter');
  await terminal.waitFor('neither the address from your browser');
  terminal.press(`\u001B[200~${pasted(answer)}\u001B[201~`, 'enter');
  await toReview(terminal);
});

test('+ adds time', async () => {
  const {terminal} = await waitForBrowser(await platformForTest());
  await terminal.waitFor(/(5:00|4:\d\d) left/);
  terminal.press('+');
  await terminal.waitFor(/(10:00|9:\d\d) left/);
  expect(addressesIn(terminal.raw()).length).toBe(1);
});

test('c puts the address into the clipboard of whoever sits at the terminal', async () => {
  const {terminal, url} = await waitForBrowser(await platformForTest());
  terminal.press('c');
  // A terminal does not confirm that it took the text.
  await terminal.waitFor('c sent to the clipboard');
  expect(terminal.raw()).toContain(`\x1b]52;c;${Buffer.from(url).toString('base64')}\x07`);
  // The list of keys still says what the key does.
  terminal.press('?');
  await terminal.waitFor(/c +copy\n/);
});

onUnix('inside tmux, which drops what is sent to the clipboard, c tells tmux', async () => {
  const directory = await temporaryDirectory();
  const taken = join(directory, 'taken');
  await writeFile(join(directory, 'tmux'), `#!/bin/sh\necho "$@" > '${taken}'\n/bin/cat >> '${taken}'\n`, {
    mode: 0o755,
  });
  const env = {PATH: directory, TMUX: '/nowhere,1,0'};
  const {terminal, url} = await waitForBrowser(await platformForTest(), {env});
  terminal.press('c');
  await terminal.waitFor('c copied to tmux');
  expect(readFileSync(taken, 'utf8')).toBe(`load-buffer -w -\n${url}`);
  expect(terminal.raw()).not.toContain('\x1b]52;');
});

test('over SSH it says how to bring the port along', async () => {
  const platform = await platformForTest();
  const env = {SSH_CONNECTION: '192.0.2.7 53122 198.51.100.4 22', USER: 'ann'};
  const {terminal} = await waitForBrowser(platform, {env});
  const lines = terminal
    .screen()
    .split('\n')
    .map(line => line.trim());
  expect(lines).toContain(`ssh -L ${platform.port}:127.0.0.1:${platform.port} ann@198.51.100.4`);
  expect(terminal.screen()).toContain('192.0.2.7');
});

test('a port that is taken says by whom, and can be tried again', async () => {
  const platform = await platformForTest();
  const release = await holdPort(platform.port);
  const terminal = openSetup(['--sign-in', 'browser', '--no-browser', ...platform.flags], {
    // Without /proc, the program asks the machine's own tools.
    env: {PATH: process.env.PATH},
  });
  await terminal.waitFor('Use this deployment');
  terminal.press('enter');
  const screen = await terminal.waitFor('The port that is needed is in use');
  expect(screen.replaceAll(/\s+/g, ' ')).toMatch(
    new RegExp(`Port ${platform.port}, .* by .*\\(process ${process.pid}\\)`),
  );
  await release();
  await choose(terminal, 'Try again');
  await signInAndReturn(await addressIn(terminal));
  await toReview(terminal);
});

test('Ctrl-C while it waits leaves, frees the port, and keeps no more than what was answered', async () => {
  const platform = await platformForTest();
  const {terminal, url} = await waitForBrowser(platform);
  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(130);
  expectRestored(terminal);
  expectPromptOnOwnLine(terminal);
  expect(await isRefused(platform.port)).toBe(true);
  const left = [terminal.home, terminal.temporary].flatMap(filesBelow);
  expect(left).toMatchObject([{path: 'setup/unfinished.json', mode: 0o600}]);
  const {searchParams} = new URL(url);
  for (const name of ['state', 'nonce']) expectWithout(left[0]?.text ?? '', searchParams.get(name) ?? '');
});

describe('an address to open', () => {
  const inGhostty = {TERM_PROGRAM: 'ghostty'};

  test.each([
    ['is a link where the terminal has links', inGhostty, true],
    ['is text where it has none', {TERM_PROGRAM: 'Apple_Terminal'}, false],
    ['is text where the person wants no signals', {...inGhostty, SETUP_SIGNALS: 'off'}, false],
    ['is text in GNU Screen', {...inGhostty, STY: '1.pts-0'}, false],
  ])('%s', async (_what, env, isLink) => {
    const {terminal, url} = await waitForBrowser(await platformForTest(), {env});
    const link = `\u001B]8;;${url}\u0007${url}\u001B]8;;\u0007`;
    expect(terminal.raw().includes(link)).toBe(isLink);
    expect(terminal.raw().includes('\u001B]8;')).toBe(isLink);
  });

  test('is one link over several lines, and takes the room of its text', async () => {
    const platform = await platformForTest({extras: ['device']});
    const {terminal} = await waitForBrowser(platform, {env: inGhostty, columns: 40});
    terminal.press('d');
    await terminal.waitFor('Enter this code in any browser');
    const [, target = ''] = await terminal.until(
      'A link',
      () => /\u001B\]8;;(\S+?\?user_code=[^\s\u0007]+)\u0007/.exec(terminal.raw()) ?? undefined,
    );
    expect(new URL(target).searchParams.get('user_code')).toBeTruthy();
    const shown = terminal.screen().replaceAll(/\s/g, '');
    expect(shown).toContain(target);
    for (const line of terminal.screen().split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });
});
