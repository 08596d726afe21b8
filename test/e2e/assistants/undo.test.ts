import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {connected} from '../support/connected.ts';
import {filesBelow} from '../support/files.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {mcpClientSignIn} from '../support/sandbox.ts';
import {addressFrom, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {storeIn} from '../support/store.ts';
import {openSetup} from '../support/wizard.ts';

const own = '{\n  // mine\n  "mcpServers": {"other": {"url": "http://localhost:1/mcp"}},\n}\n';

const setUp = async (contents = own) => {
  const platform = await platformForTest();
  const surroundings = surroundingsForTest();
  const project = surroundings.temporary;
  const path = join(project, '.mcp.json');
  writeFileSync(path, contents, {mode: 0o640});
  const {args, stdin} = mcpClientSignIn(platform.ready);
  const result = await runSetup(['--yes', '--project', project, ...platform.flags, ...args], {surroundings, stdin});
  expect(result).toMatchObject({code: 0, stderr: ''});
  const store = storeIn(surroundings.setupHome);
  return {platform, surroundings, path, store, run: (...words: readonly string[]) => runSetup(words, {surroundings})};
};

test('undo puts the assistant’s file back to the byte, and nothing of ours is left', async () => {
  const {path, surroundings, run} = await setUp();
  expect(readFileSync(path, 'utf8')).not.toBe(own);
  const listed = await run('undo', '--list');
  expect(listed.stdout).toMatch(/^1 {2}\d{4}-\d\d-\d\d \d\d:\d\d by setup\n/);
  expect(listed.stdout).toContain('/.mcp.json: changed\n');
  expect(listed.stdout).toContain('/config.json: new\n');
  const [{at, files}] = JSON.parse((await run('undo', '--list', '--json')).stdout).runs;
  expect(new Date(at).toISOString()).toBe(at);
  expect(files).toContainEqual({path, change: 'changed'});
  expect(readFileSync(path, 'utf8')).not.toBe(own);

  const undone = await run('undo', '--yes');
  expect(undone).toMatchObject({code: 0, stderr: ''});
  expect(undone.stdout).toMatch(/\nSigned out of platform: its secrets are removed\.\n$/);
  expect(readFileSync(path, 'utf8')).toBe(own);
  expect(existsSync(surroundings.setupHome) ? filesBelow(surroundings.setupHome) : []).toEqual([]);
  const again = await run('undo', '--yes');
  expect(again).toMatchObject({code: 6, stderr: expect.stringContaining('There is nothing to revert.')});
  expect(again.stderr).not.toContain('--list');
  expect((await run('status')).stdout).toContain('Nothing is set up yet');
});

test('a sign-in that is undone leaves an older token in an entry, and says how it is renewed', async () => {
  const platform = await platformForTest();
  const {run, surroundings, authorizations} = await connected(platform);
  const [first] = authorizations();
  const login = startSetup(['login', '--no-browser'], {surroundings});
  await signInAndReturn(await addressFrom(login));
  expect(await login.ended).toMatchObject({code: 0});
  expect(authorizations()[0]).not.toBe(first);
  const {stdout} = await run('undo', '--yes');
  expect(stdout).toContain('.mcp.json contains an older token, which may have expired. To renew it: ');
  const [, words = ''] = /To renew it: .*setup(?:\.js)? (.*)$/m.exec(stdout) ?? [];
  expect(await run(...words.split(' '), '--yes')).toMatchObject({code: 0});
  expect(authorizations()[0]).not.toBe(first);
});

test('a sign-in that is undone after a sign-out leaves no token in an entry, and says how it is connected', async () => {
  const platform = await platformForTest();
  const {run, surroundings, authorizations} = await connected(platform);
  await run('logout');
  const login = startSetup(['login', '--no-browser'], {surroundings});
  await signInAndReturn(await addressFrom(login));
  expect(await login.ended).toMatchObject({code: 0});
  const {stdout} = await run('undo', '--yes');
  expect(stdout).not.toContain('an older token');
  const [, words = ''] =
    /\.mcp\.json contains no token, because you had signed out\. To connect again: .*setup(?:\.js)? (.*)$/m.exec(
      stdout,
    ) ?? [];
  const doctor = await run('doctor');
  expect(doctor.stdout).toMatch(
    /“platform-control-plane” in \S*\.mcp\.json holds no token: it was removed when you signed out\./,
  );
  expect(await run(...words.split(' '), '--yes')).toMatchObject({code: 0});
  expect(authorizations()[0]).not.toContain('signed-out');
});

test('records of what was written that do not read are named', async () => {
  const {surroundings, run} = await setUp();
  const journal = join(surroundings.setupHome, 'journal');
  const names = readdirSync(journal).filter(name => name.endsWith('.json'));
  for (const name of names) writeFileSync(join(journal, name), '{"version": 1, "run"');
  const undone = await run('undo', '--yes');
  expect(undone.code).toBe(6);
  expect(undone.stderr).toContain(`Nothing can be reverted: ${join(journal, names[0] ?? '')} and `);
  expect((await run('undo', '--list')).stderr).toContain('cannot be read, so its changes cannot be reverted');
});

test('the time of a run is the one on the clock of this machine', async () => {
  const {surroundings} = await setUp();
  const shown = async (TZ: string) => {
    const {stdout} = await runSetup(['undo', '--list'], {surroundings, env: {TZ}});
    return Date.parse(`${stdout.slice(3, 19).replace(' ', 'T')}Z`);
  };
  expect((await shown('Asia/Tokyo')) - (await shown('UTC'))).toBe(9 * 3_600_000);
});

test('a file that has changed since and cannot be edited is left alone, and the difference is shown without its secrets', async () => {
  const {path, run, store} = await setUp();
  const changed = `${readFileSync(path, 'utf8').replace('"other"', '"renamed"')} {`;
  writeFileSync(path, changed);
  const {code, stdout, stderr} = await run('undo', '--yes');
  expect(code).toBe(6);
  expect(readFileSync(path, 'utf8')).toBe(changed);
  expect(stdout).toContain('left alone: it has changed since');
  expect(stdout).toMatch(/^-/m);
  // Secrets in an unreadable file cannot be recognised, so the output shows none of it.
  expect(stdout).not.toMatch(/eyJ|renamed/);
  // The record of its entries stays, so that they can be removed later.
  expect(stdout).toMatch(/config\.json: stays: it lists the entries in .*mcp\.json\n/);
  expect(stdout).not.toContain('Signed out');
  expect(stderr).toMatch(/mcp\.json is not valid JSON.*\. Fix the file, then run npx setup undo again\./s);
  expect(store.contexts()).toMatchObject([{name: 'platform', entries: [{path}]}]);
  expect(await run('token')).toMatchObject({code: 0, stderr: ''});

  // After a repair by hand, the file no longer prevents an undo of earlier writes.
  expect((await run('undo', '--list')).stdout).toMatch(
    /^1 {2}.*\n {3}.*mcp\.json: changed\n {3}.*config\.json: new\n$/,
  );
  writeFileSync(path, own);
  expect(await run('undo', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('mcp.json: was restored already'),
  });
  expect(await run('undo', '--yes')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('There is nothing to revert'),
  });
});

test('out of a file that was changed since, the entries are taken, and everything else stays', async () => {
  const {path, run, surroundings} = await setUp();
  writeFileSync(path, readFileSync(path, 'utf8').replace('"other"', '"renamed"'));
  const {code, stdout, stderr} = await run('undo', '--yes');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('mcp.json: its entries are removed; your other changes are kept\n');
  expect(stdout).toContain('Signed out of platform');
  expect(readFileSync(path, 'utf8')).toBe(own.replace('"other"', '"renamed"'));
  expect(existsSync(join(surroundings.setupHome, 'config.json'))).toBe(false);
  expect((await run('undo', '--yes')).stderr).toContain('There is nothing to revert');
});

test('a file from which somebody has removed the entries, and which cannot be parsed now, is not called restored', async () => {
  const {path, run} = await setUp();
  await run('mcp', 'disconnect', 'generic');
  const broken = `${own} {`;
  writeFileSync(path, broken);
  const {code, stdout, stderr} = await run('undo', '--all', '--yes');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('mcp.json: its entries were removed already; your other changes are kept\n');
  expect(readFileSync(path, 'utf8')).toBe(broken);
  expect((await run('undo', '--list')).stdout).toContain('There is nothing to revert');
});

test('a file that somebody has put back after changes in between was restored already', async () => {
  const {path, run} = await setUp();
  writeFileSync(path, readFileSync(path, 'utf8').replace('"other"', '"renamed"'));
  await run('mcp', 'disconnect', 'generic');
  writeFileSync(path, own);
  expect((await run('undo', '--all', '--yes')).stdout).toContain('mcp.json: was restored already\n');
  expect(readFileSync(path, 'utf8')).toBe(own);
});

test('going back to before the first run brings no entry back that was removed in between', async () => {
  const {path, run} = await setUp();
  const renamed = () => writeFileSync(path, readFileSync(path, 'utf8').replace('"other"', '"renamed"'));
  renamed();
  await run('mcp', 'disconnect', 'generic');
  expect(await run('undo', '--all', '--yes')).toMatchObject({code: 0, stderr: ''});
  expect(readFileSync(path, 'utf8')).toBe(own.replace('"other"', '"renamed"'));
  expect((await run('undo', '--list')).stdout).toContain('There is nothing to revert');
});

test('one run after the other is reverted although the file was changed between them', async () => {
  const {path, run} = await setUp();
  writeFileSync(path, readFileSync(path, 'utf8').replace('"other"', '"renamed"'));
  await run('mcp', 'disconnect', 'generic');
  expect(await run('undo', '--yes')).toMatchObject({code: 0, stderr: ''});
  expect(readFileSync(path, 'utf8')).toMatch(/platform-control-plane/);
  expect(await run('undo', '--yes')).toMatchObject({code: 0, stderr: ''});
  expect(readFileSync(path, 'utf8')).toBe(own.replace('"other"', '"renamed"'));
});

/** Sets up the same in git, with a token in the file and a line that makes git ignore it. */
const inGit = async () => {
  const platform = await platformForTest();
  const surroundings = surroundingsForTest();
  const project = surroundings.temporary;
  mkdirSync(join(project, '.git'));
  const [path, ignore] = [join(project, '.mcp.json'), join(project, '.gitignore')];
  writeFileSync(path, own);
  const {args, stdin} = mcpClientSignIn(platform.ready);
  const all = ['--yes', '--project', project, '--method', 'header', '--in-git', 'ignore', ...platform.flags, ...args];
  await runSetup(all, {surroundings, stdin});
  return {path, ignore, surroundings, run: (...words: readonly string[]) => runSetup(words, {surroundings})};
};

test('a token does not come back where git would commit it, and undo says how it can', async () => {
  const {path, ignore, run} = await inGit();
  const {code: disconnected, stdout: said} = await run('mcp', 'disconnect', 'generic');
  expect(disconnected).toBe(0);
  expect(said).toMatch(/gitignore: the line for .*mcp\.json was removed\.\nTo undo this, run npx setup undo\n$/);
  expect(existsSync(ignore)).toBe(false);
  writeFileSync(ignore, 'dist\n');
  const {code, stdout, stderr} = await run('undo', '--yes');
  expect(code).toBe(6);
  expect(stdout).toMatch(/gitignore: left alone: it has changed since\n/);
  expect(stdout).toMatch(
    /mcp\.json: left alone: restoring it would bring back a token that git would commit, because .*gitignore has changed since\n/,
  );
  expect(stderr).toMatch(/Keep .*mcp\.json out of git, then run npx setup undo again\./);
  expect(readFileSync(path, 'utf8')).toBe(own);
  writeFileSync(ignore, 'dist\n/.mcp.json\n');
  await run('undo', '--yes');
  expect(readFileSync(path, 'utf8')).toMatch(/Bearer eyJ/);
  const {stdout: json} = await run('mcp', 'disconnect', 'generic', '--json');
  expect(JSON.parse(json).disconnected).toMatchObject([{path, outcome: 'removed', ignoreFile: ignore}]);
});

test('after a sign-out everything is put back as well, and the sign-out is no run', async () => {
  const {path, ignore, run, surroundings} = await inGit();
  expect(existsSync(ignore)).toBe(true);
  const listed = await run('undo', '--list');

  expect(await run('logout')).toMatchObject({code: 0, stderr: ''});
  expect(readFileSync(path, 'utf8')).toContain('signed-out');
  const after = await run('undo', '--list');
  expect(after.stdout).toMatch(
    /\n {3}Also reverts what the sign-out at \d{4}-\d\d-\d\d \d\d:\d\d did to these files\.\n$/,
  );
  expect(after.stdout.replace(/ {3}Also .*\n$/, '')).toBe(listed.stdout);
  const [{signOuts}] = JSON.parse((await run('undo', '--list', '--json')).stdout).runs;
  expect(signOuts).toEqual([expect.stringMatching(/^\d{4}-.*Z$/)]);
  const terminal = openSetup(['undo'], {env: surroundings.env});
  const screen = (await terminal.waitFor('Revert this? [y/N]')).replaceAll(/\s+/g, ' ');
  expect(screen).toMatch(/Also reverts what the sign-out at .* did to these files\. This does not sign you in again\./);
  terminal.press('n\r');
  expect(await terminal.exit).toBe(130);
  const {code, stdout, stderr} = await run('undo', '--yes');
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).not.toContain('Signed out');
  expect(readFileSync(path, 'utf8')).toBe(own);
  expect(existsSync(ignore)).toBe(false);
  expect((await run('status')).stdout).toContain('Nothing is set up yet');
});

test('an earlier run is put back past one that cannot be, and one that is not there is said', async () => {
  const {path, surroundings, run} = await setUp();
  const other = join(surroundings.home, '.cursor', 'mcp.json');
  expect(await run('mcp', 'connect', 'cursor', '--scope', 'user', '--yes')).toMatchObject({code: 0});
  writeFileSync(other, `${readFileSync(other, 'utf8')} {`);
  expect(await run('undo', '--yes')).toMatchObject({code: 6, stderr: expect.stringContaining('--run')});
  const {stdout} = await run('undo', '--list');
  expect(stdout).toMatch(/^1 .*\n.*cursor[\s\S]*^2 .*\n[\s\S]*mcp\.json/m);
  await run('undo', '--run', '2');
  expect(readFileSync(path, 'utf8')).toBe(own);
  expect(await run('undo', '--run', '7')).toMatchObject({code: 6, stderr: expect.stringContaining('no run 7')});
  expect(await run('undo', '--run', 'x')).toMatchObject({code: 2, stderr: expect.stringContaining('not x')});
});

test('a file that a newer run has changed as well is left alone, until that run is reverted', async () => {
  const {path, surroundings, run} = await setUp();
  const connected = readFileSync(path, 'utf8');
  const terminal = openSetup(['undo'], {env: surroundings.env});
  await terminal.waitFor('Revert this? [y/N]');
  expect(await run('mcp', 'disconnect', 'generic', '--yes')).toMatchObject({code: 0});
  terminal.press('y\r');
  expect(await terminal.exit).toBe(6);
  const screen = terminal.screen().replaceAll(/\s+/g, ' ');
  expect(screen).toContain('left alone: a newer run has changed it as well');
  expect(screen).toContain('A newer run is still there. npx setup undo reverts it.');
  expect(screen).toContain('Revert the newer run first: npx setup undo.');
  expect(screen).not.toContain('Fix it by hand');
  // The same with nobody to ask, and the question says so beforehand.
  expect(await run('undo', '--run', '2')).toMatchObject({code: 6});
  const asked = openSetup(['undo', '--run', '2'], {env: surroundings.env});
  expect((await asked.waitFor('Revert this? [y/N]')).replaceAll(/\s+/g, ' ')).toMatch(
    /\.json: stays as it is: a newer run has changed it as well/,
  );
  asked.press('n\r');
  await asked.exit;
  expect(await run('undo', '--yes')).toMatchObject({code: 0});
  expect(readFileSync(path, 'utf8')).toBe(connected);
  expect(await run('undo', '--yes')).toMatchObject({code: 0});
  expect(readFileSync(path, 'utf8')).toBe(own);
  expect(await run('undo', '--all')).toMatchObject({code: 6, stderr: expect.stringContaining('nothing to revert')});
});

test('undo after a later sign-in takes the entries back too, as the last screen has promised', async () => {
  const {path, run, surroundings, platform, store} = await setUp();
  const {args, stdin} = mcpClientSignIn(platform.ready);
  const again = await runSetup(['login', '--yes', ...platform.flags, ...args], {surroundings, stdin});
  expect(again).toMatchObject({code: 0, stderr: ''});
  expect(JSON.parse((await run('undo', '--list', '--json')).stdout).runs).toHaveLength(1);
  const undone = await run('undo', '--yes');
  expect(undone).toMatchObject({code: 0, stderr: ''});
  expect(readFileSync(path, 'utf8')).toBe(own);
  expect(undone.stdout).not.toContain('earlier run');
  expect(existsSync(store.configPath)).toBe(false);
});

test('undo says what the next one would take back, and --all takes back everything', async () => {
  const {path, surroundings, run} = await setUp();
  for (const assistant of ['cursor', 'gemini-cli'])
    expect(await run('mcp', 'connect', assistant, '--scope', 'user', '--yes')).toMatchObject({code: 0});
  const {stdout} = await run('undo', '--yes');
  expect(stdout).toMatch(/\.gemini\/settings\.json: removed\n/);
  expect(stdout).toMatch(
    /\n2 earlier runs are still there\. npx setup undo reverts the next one\. npx setup undo --all reverts everything\.\n1 {2}\d{4}-.*\n {3}~\/\.cursor\/mcp\.json: new\n/,
  );
  const {next} = JSON.parse((await run('undo', '--run', '1', '--json')).stdout);
  expect(next.files).toContainEqual({path, change: 'changed'});

  await run('mcp', 'connect', 'cursor', '--scope', 'user', '--yes');
  const all = await run('undo', '--all');
  expect(all).toMatchObject({code: 0, stderr: ''});
  expect(all.stdout).not.toContain('earlier run');
  expect(readFileSync(path, 'utf8')).toBe(own);
  expect(existsSync(join(surroundings.home, '.cursor'))).toBe(false);
  expect(await run('undo', '--all')).toMatchObject({code: 6, stderr: expect.stringContaining('nothing to revert')});
  expect(await run('undo', '--all', '--run', '2')).toMatchObject({code: 2});
});

test('nothing is put back before somebody agrees', async () => {
  const {path, run, surroundings} = await setUp();
  const connected = readFileSync(path, 'utf8');
  const refused = await run('undo');
  expect(refused).toMatchObject({code: 2, stdout: ''});
  expect(refused.stderr).toContain('npx setup undo --list');
  expect(refused.stderr).toContain('npx setup undo --yes');
  expect(await run('undo', '--json')).toMatchObject({code: 2});
  for (const [typed, code] of [
    ['n\r', 130],
    ['\r', 130],
    ['y\r', 0],
  ] as const) {
    expect(readFileSync(path, 'utf8')).toBe(connected);
    const terminal = openSetup(['undo'], {env: surroundings.env});
    const screen = await terminal.waitFor('Revert this? [y/N]');
    expect(screen).toMatch(/mcp\.json: becomes what it was before/);
    expect(screen).toMatch(/config\.json: is removed, because it was new/);
    expect(screen).toContain('It also signs you out of platform');
    // The client's secret may be saved nowhere else.
    expect(screen.replaceAll(/\s+/g, ' ')).toContain('removes the secret of ');
    terminal.press(typed);
    expect(await terminal.exit).toBe(code);
    expect(terminal.screen().includes('Nothing was changed.')).toBe(code !== 0);
  }
  expect(readFileSync(path, 'utf8')).toBe(own);
});

test('an empty file counts as none, and goes', async () => {
  const {path, surroundings} = await setUp('');
  const terminal = openSetup(['undo'], {env: surroundings.env});
  expect(await terminal.waitFor('Revert this? [y/N]')).toContain('.mcp.json: is removed, because it was empty');
  terminal.press('y\r');
  expect(await terminal.exit).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('after undo the next run begins from nothing', async () => {
  const platform = await platformForTest();
  const {surroundings, run, project} = await connected(platform);
  expect((await run('undo', '--yes')).code).toBe(0);
  expect(existsSync(join(project, '.mcp.json'))).toBe(false);
  const {stderr} = await runSetup(['token'], {surroundings});
  expect(stderr).toContain('Nothing is set up yet');
});

test.each([
  [
    'undo',
    /^ {2}It also removes the secret of made: if you have no other copy, an administrator must set a new\s+one\./m,
  ],
  ['uninstall', /^Secrets of MCP clients that no sign-in uses:\n {2}the secret of made: if you have no other copy/m],
])('%s names the secret of a client that was created and is not used', async (command, words) => {
  const {surroundings, store} = await connected(await platformForTest());
  const kept = store.only();
  const {issuer} = kept;
  store.putCredentials(kept, {issuer, clientId: 'made', clientSecret: 'the only copy'});
  const terminal = openSetup([command], {env: surroundings.env});
  await terminal.waitFor(/\[y\/N\]|\(y\/N\)/);
  expect(terminal.transcript()).toMatch(words);
  terminal.press('n', 'enter');
  await terminal.exit;
  expect(store.credentials()).toHaveLength(2);
});
