import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {clientOf as clientIn} from '../../support/platform.ts';
import type {Surroundings} from '../../support/terminal/terminal-environment.ts';
import {connected} from '../support/connected.ts';
import {modeOf} from '../support/files.ts';
import {type Platform, platformForTest} from '../support/platform.ts';
import {preparedOnce} from '../support/prepared.ts';
import {jsonLines, runSetup, surroundingsForTest} from '../support/run.ts';
import {mcpClientSignIn} from '../support/sandbox.ts';
import {expectWithout} from '../support/secrets.ts';
import {storeIn} from '../support/store.ts';
import {choose, goTo, openSetup, reaches} from '../support/wizard.ts';

const cursor = '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": {"command": "x"},\n\t},\n}\n';
const openCode = '{\n\t// mine\n\t"mcp": {},\n}\n';

const machine = async () => machineOf({platform: await platformForTest(), surroundings: surroundingsForTest()});

/** Sets up a home with a Cursor in it, a Claude Code on PATH, and a platform to connect them to. */
const machineOf = ({platform, surroundings}: {platform: Platform; surroundings: Surroundings}) => {
  const {home, env, setupHome} = surroundings;
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), {recursive: true});
    writeFileSync(join(home, path), text);
    return join(home, path);
  };
  const read = (path: string) => readFileSync(join(home, path), 'utf8');
  put('.cursor/mcp.json', cursor);
  const claude = join(env.PATH ?? '', 'claude');
  writeFileSync(claude, '#!/bin/sh\necho "2.1.328 (Claude Code)"\n');
  chmodSync(claude, 0o755);
  // The helper's shell, and the program that it starts, are in the usual places.
  const path = {PATH: `${env.PATH}:/usr/bin:/bin`};
  const run = (...args: readonly string[]) => runSetup(args, {surroundings, env: path});
  const {args: signIn, stdin} = mcpClientSignIn(platform.ready);
  const setUp = (...args: readonly string[]) =>
    runSetup(['--yes', ...platform.flags, ...signIn, ...args], {surroundings, env: path, stdin});
  return {platform, surroundings, put, read, run, setUp, store: storeIn(setupHome), env: {...env, ...path}};
};

/** Agrees to the review that is shown, and leaves from the last screen. */
const writesFrom = async (terminal: ReturnType<typeof openSetup>) => {
  terminal.press('enter');
  await terminal.waitFor('All set: your assistants can reach');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
};

/** The same machine after a setup that connected both assistants. */
const connectedMachine = preparedOnce(async bare => {
  const machine = machineOf(bare);
  return {...machine, result: await machine.setUp()};
});

describe('setup', () => {
  test('connects what is here, each in its best way, and proves it through the very entries', async () => {
    const {result, read, run, store} = connectedMachine();
    const {code, stdout, stderr} = result;
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(
      /^ {2}Claude Code: control plane \d+ tools, observability \d+ tools, through ~\/\.claude\.json$/m,
    );
    expect(stdout).toMatch(
      /^ {2}Cursor: control plane \d+ tools, observability \d+ tools, through ~\/\.cursor\/mcp\.json$/m,
    );
    const {accessToken = ''} = store.only();
    expectWithout(read('.claude.json') + read('.cursor/mcp.json') + stdout, accessToken);
    const listed = JSON.parse((await run('mcp', 'list', '--json')).stdout).entries;
    expect(listed.map(({assistant, state, method}: Record<string, string>) => [assistant, state, method])).toEqual([
      ['Claude Code', 'kept', 'helper'],
      ['Claude Code', 'kept', 'helper'],
      ['Cursor', 'kept', 'bridge'],
      ['Cursor', 'kept', 'bridge'],
    ]);
    expect((await run('status')).stdout).toMatch(/Cursor +auto-renewed \(bridge\)/);
    await run('logout');
    expect((await run('status')).stdout).toMatch(/Cursor +sign-in needed \(bridge\)/);
    expect((await run('mcp', 'list')).stdout).toMatch(/\.claude\.json +sign-in needed \(helper\)/);

    expect(await run('mcp', 'disconnect', '--all')).toMatchObject({code: 0, stderr: ''});
    expect(read('.cursor/mcp.json')).toBe(cursor);
    expect(() => read('.claude.json')).toThrow('ENOENT');
  });

  test('says what is started by an entry that has no address', async () => {
    const {setUp} = await machine();
    const {code, stdout} = await setUp('--assistants', 'cursor,generic', '--shape', 'documented', '--json');
    expect(code).toBe(0);
    const verified = jsonLines(stdout).filter(({type}) => type === 'server-verified');
    const started = verified.filter(({assistant}) => assistant === 'Cursor');
    expect(started).toHaveLength(2);
    for (const line of started) expect(line).toMatchObject({command: expect.stringMatching(/node/)});
    for (const line of started) expect(line).not.toHaveProperty('url');
    const asked = verified.find(({assistant}) => assistant !== 'Cursor');
    expect(asked).toMatchObject({url: expect.stringMatching(/^http.*\/mcp$/)});
    expect(asked).not.toHaveProperty('command');
  });

  test('warns where an assistant does not have the way that was asked for', async () => {
    const {setUp} = await machine();
    const told = await setUp('--assistants', 'cursor', '--method', 'helper', '--json');
    expect(told.code).toBe(0);
    expect(jsonLines(told.stdout)).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: 'Cursor does not support a helper; it is connected with the bridge.',
      }),
    );
    const kept = await setUp('--assistants', 'cursor', '--method', 'bridge', '--json');
    expect(jsonLines(kept.stdout).filter(({type}) => type === 'warning')).toEqual([]);
  });

  test('a client that may not find names below localhost gets the bridge, which does', async () => {
    const {surroundings, setUp, read} = await machine();
    const codex = join(surroundings.env.PATH ?? '', 'codex');
    writeFileSync(codex, '#!/bin/sh\necho "codex-cli 0.169.0"\n');
    chmodSync(codex, 0o755);
    expect(await setUp('--assistants', 'codex-cli')).toMatchObject({code: 0, stderr: ''});
    expect(read('.codex/config.toml')).toContain('"serve"');
  });

  test('an entry that does not work is no proof: the program that it starts says why', async () => {
    const {put, run} = connectedMachine();
    const path = put('.cursor/mcp.json', cursor);
    // A directory without a sign-in.
    const moved = {home: join(dirname(path), 'nowhere')};
    const {code, stderr} = await run('mcp', 'connect', 'cursor', '--yes', '--setup-home', moved.home);
    expect({code, stderr}).toEqual({code: 4, stderr: expect.stringContaining('Nothing is set up yet')});
  });
});

describe('setup mcp connect', () => {
  test('renews every token in one go, and leaves what renews itself', async () => {
    const {setUp, run, read, store} = await machine();
    await setUp('--assistants', 'cursor', '--method', 'header');
    await run('mcp', 'connect', 'claude-code', '--yes');
    const before = store.only().accessToken ?? '';
    expect(read('.cursor/mcp.json')).toContain(before);
    expect((await run('status')).stdout).toMatch(/Cursor +a token, \d+ (min|h)/);
    const claude = read('.claude.json');
    store.expire();
    const {code, stderr} = await run('mcp', 'connect', '--yes');
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    const after = store.only().accessToken ?? '';
    expect(after).not.toBe(before);
    expect(read('.cursor/mcp.json')).toContain(after);
    expect(read('.claude.json')).toBe(claude);
  });

  test('writes a named assistant’s entries where those of the others are', async () => {
    const {setUp, run, read, surroundings} = await machine();
    const project = ['--project', surroundings.temporary];
    await setUp('--assistants', 'claude-code', '--scope', 'project', ...project);
    const inProject = () => readFileSync(join(surroundings.temporary, '.cursor/mcp.json'), 'utf8');
    expect(await run('mcp', 'connect', 'cursor', '--yes', ...project)).toMatchObject({code: 0});
    expect(inProject()).toContain('"serve"');
    expect(read('.cursor/mcp.json')).toBe(cursor);
    await run('undo', '--yes');
    expect(await run('mcp', 'connect', '--assistants', 'cursor', '--yes', ...project)).toMatchObject({code: 0});
    expect(inProject()).toContain('"serve"');
    await run('undo', '--yes');
    expect(await run('mcp', 'connect', 'cursor', '--scope', 'user', '--yes', ...project)).toMatchObject({code: 0});
    expect(read('.cursor/mcp.json')).toContain('"serve"');
    expect(inProject).toThrow('ENOENT');
  });

  test('names what it does not know, and who is not connected', async () => {
    const {run} = connectedMachine();
    expect(await run('mcp', 'connect', 'curser', '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean cursor?'),
    });
    expect(await run('mcp', 'disconnect', 'zed')).toMatchObject({code: 2, stderr: expect.stringContaining('mcp list')});
    // Only the flag takes the words for several assistants.
    for (const words of [
      ['connect', 'none', '--yes'],
      ['disconnect', 'detected'],
    ]) {
      const {stderr} = await run('mcp', ...words);
      expect(stderr).toContain('It takes claude-code, ');
      expect(stderr).not.toContain('detected or none');
    }
    const byFlag = await run('mcp', 'connect', '--yes', '--assistants', 'whatever');
    expect(byFlag.stderr).toContain('; detected or none.');
  });
});

describe('setup mcp disconnect', () => {
  test('leaves nothing to undo when it could change nothing', async () => {
    const {run, put, store} = connectedMachine();
    const [known, listed] = [readFileSync(store.configPath, 'utf8'), await run('undo', '--list')];
    const broken = put('.cursor/mcp.json', '{"mcpServers": ');
    expect(await run('mcp', 'disconnect', 'cursor')).toMatchObject({code: 6, stderr: expect.stringContaining(broken)});
    expect(readFileSync(store.configPath, 'utf8')).toBe(known);
    expect(await run('undo', '--list')).toEqual(listed);
  });

  test('without a name takes nothing out where nobody can be asked, and names what can be said', async () => {
    const {run, read} = connectedMachine();
    const before = [read('.cursor/mcp.json'), read('.claude.json')];
    const refused = await run('mcp', 'disconnect');
    expect(refused).toMatchObject({code: 2, stdout: ''});
    expect(refused.stderr).toContain('npx setup mcp disconnect claude-code');
    expect(refused.stderr).toContain('npx setup mcp disconnect --all');
    const asJson = await run('mcp', 'disconnect', '--json', '--scope', 'user', '--context', 'platform');
    expect(asJson.code).toBe(2);
    expect(asJson.stdout).toContain('mcp disconnect --all --scope user --context platform');
    expect(await run('mcp', 'disconnect', 'cursor', '--all')).toMatchObject({code: 2});
    expect([read('.cursor/mcp.json'), read('.claude.json')]).toEqual(before);

    expect(await run('mcp', 'disconnect', '--all')).toMatchObject({code: 0, stderr: ''});
    expect(read('.cursor/mcp.json')).toBe(cursor);
    expect(() => read('.claude.json')).toThrow('ENOENT');
    expect(await run('mcp', 'disconnect')).toMatchObject({code: 0, stdout: expect.stringContaining('No assistant')});
  });

  test('with --yes takes all of them out, as with --all', async () => {
    const {run, read} = connectedMachine();
    expect(await run('mcp', 'disconnect', '--yes')).toMatchObject({code: 0, stderr: ''});
    expect(read('.cursor/mcp.json')).toBe(cursor);
  });

  test('without a name shows in a terminal what would go, and asks', async () => {
    const {env, read} = connectedMachine();
    const before = read('.cursor/mcp.json');
    for (const [typed, code] of [
      ['n\r', 130],
      ['\r', 130],
      ['y\r', 0],
    ] as const) {
      expect(read('.cursor/mcp.json')).toBe(before);
      const terminal = openSetup(['mcp', 'disconnect'], {env});
      const screen = await terminal.waitFor('Remove the entries of all of them? [y/N]');
      expect(screen).toMatch(/Claude Code: ~\/\.claude\.json\s+Cursor: ~\/\.cursor\/mcp\.json/);
      terminal.press(typed);
      expect(await terminal.exit).toBe(code);
    }
    expect(read('.cursor/mcp.json')).toBe(cursor);
  });
});

describe('setup context remove', () => {
  test('takes the entries out of every file first, and says how to have them back', async () => {
    const {run, read, store} = connectedMachine();
    const connected = read('.cursor/mcp.json');
    const refused = await run('context', 'remove', 'platform');
    expect(refused).toMatchObject({code: 2, stderr: expect.stringContaining('npx setup logout --context platform')});
    expect(read('.cursor/mcp.json')).toBe(connected);

    await run('logout');
    const {code, stdout} = await run('context', 'remove', 'platform');
    expect({code, stdout}).toEqual({
      code: 0,
      stdout: [
        'platform was removed.',
        'Claude Code: entries removed (~/.claude.json).',
        'Cursor: entries removed (~/.cursor/mcp.json).',
        'To undo this, run npx setup undo\n',
      ].join('\n'),
    });
    expect(read('.cursor/mcp.json')).toBe(cursor);
    expect(() => read('.claude.json')).toThrow('ENOENT');
    expect(store.contexts()).toEqual([]);

    await run('undo', '--yes');
    expect(read('.cursor/mcp.json')).toBe(connected);
    expect(store.contexts()).toMatchObject([{name: 'platform'}]);
  });

  test('removes nothing when a file cannot be edited, and names that', async () => {
    const {run, read, put, store} = connectedMachine();
    await run('logout');
    const [claude, known] = [read('.claude.json'), store.contexts()];
    const broken = put('.cursor/mcp.json', '{"mcpServers": ');
    const {code, stdout, stderr} = await run('context', 'remove', 'platform');
    expect({code, stdout, stderr}).toEqual({code: 6, stdout: '', stderr: expect.stringContaining(broken)});
    expect(read('.claude.json')).toBe(claude);
    expect(store.contexts()).toEqual(known);
  });
});

describe('the wizard', () => {
  test('ticks what is here; scope, sign-in and the others are a key away', async () => {
    const {platform, surroundings, env, read, store} = await machine();
    const args = [...platform.flags, '--project', surroundings.temporary];
    const terminal = openSetup(args, {env: {...env, ...clientOf(platform)}});
    await goTo(terminal, 'assistants');
    const screen = await terminal.waitFor(/◉ Cursor/);
    expect(screen).toMatch(/❯ ◉ Claude Code 2\.1\.328 +~\/\.claude\.json, stays signed in/);
    expect(screen).not.toContain('Zed');
    terminal.press(' ');
    await terminal.waitFor('❯ ◯ Claude Code');
    terminal.press('m');
    await terminal.waitFor(/◉ Cursor +~\/\.cursor\/mcp\.json, token expires in/);
    terminal.press('o');
    await terminal.waitFor(/◯ Gemini CLI +not found here/);
    terminal.press('enter');
    await terminal.waitFor('2 entries for Cursor');
    terminal.press('enter');
    await terminal.waitFor(/Cursor +~\/\.cursor\/mcp\.json: control plane/);
    expect(await terminal.waitFor('mcp connect')).toContain('The token in these entries expires in');
    terminal.press('enter');
    expect(await terminal.exit).toBe(0);
    expect(read('.cursor/mcp.json')).toContain(store.only().accessToken);
    expect(modeOf(join(surroundings.home, '.cursor', 'mcp.json'))).toBe(0o600);
  });

  test('who was connected and is not ticked any more is disconnected, after the review has shown it', async () => {
    const {read, run, env, store} = connectedMachine();
    const terminal = openSetup([], {env});
    await choose(terminal, 'Connect assistants');
    await reaches(terminal, 'assistants');
    await terminal.waitFor('❯ ◉ Claude Code');
    terminal.press(' ');
    await terminal.waitFor('will be removed');
    terminal.press('enter');
    const review = await terminal.waitFor('These files will change');
    expect(review).not.toContain('.cursor');
    expect(review).toMatch(/\.claude\.json +removed: removes 2 entries of Claude Code/);
    expect(read('.claude.json')).toContain('platform-control-plane');
    await writesFrom(terminal);
    expect(() => read('.claude.json')).toThrow('ENOENT');
    expect(read('.cursor/mcp.json')).toContain('platform-control-plane');
    expect(store.contexts()[0]?.entries?.map(({assistant}) => assistant)).toEqual(['cursor']);
    expect((await run('undo', '--yes')).code).toBe(0);
    expect(read('.claude.json')).toContain('platform-control-plane');
  });

  test('plans from what is saved by now, if another run disconnected an assistant while the list was open', async () => {
    const {read, run, env} = connectedMachine();
    const terminal = openSetup([], {env});
    await choose(terminal, 'Connect assistants');
    await reaches(terminal, 'assistants');
    expect((await run('mcp', 'disconnect', 'claude-code', '--yes')).code).toBe(0);
    terminal.press('enter');
    const review = await reaches(terminal, 'review');
    expect(review).toMatch(/\.claude\.json +new: 2 entries for Claude Code/);
    await writesFrom(terminal);
    expect(read('.claude.json')).toContain('platform-control-plane');
  });

  test('sets a deployment up again that another run removed while the list was open', async () => {
    const {read, run, env, platform} = connectedMachine();
    const account = clientIn(platform.ready, 'client_secret_post');
    const terminal = openSetup([], {env});
    await choose(terminal, 'Connect assistants');
    await reaches(terminal, 'assistants');
    expect((await run('undo', '--all', '--yes')).code).toBe(0);
    terminal.press('enter');
    const screen = await terminal.waitFor('platform is no longer set up on this machine');
    expect(screen).toMatch(/❯ Set it up again/);
    terminal.press('enter');
    await reaches(terminal, 'deployment');
    terminal.press('enter');
    await choose(terminal, 'With a service account');
    await terminal.waitFor('Client ID');
    terminal.press(account.clientId, 'enter');
    await terminal.waitFor(/Client secret/);
    terminal.press(account.secret, 'enter');
    await reaches(terminal, 'assistants');
    terminal.press('enter');
    await reaches(terminal, 'review');
    await writesFrom(terminal);
    expect(read('.claude.json')).toContain('platform-control-plane');
  });

  test('entries of another project are shown as they are, and are written for all projects when the person says so', async () => {
    const {read, run, setUp, env} = await machine();
    expect(await setUp('--scope', 'project')).toMatchObject({code: 0, stderr: ''});
    const renewed = await run('mcp', 'connect');
    expect(renewed).toMatchObject({code: 0, stderr: ''});
    expect(renewed.stdout).toMatch(/Unchanged: .*\.cursor\/mcp\.json/);
    const terminal = openSetup([], {env});
    await choose(terminal, 'Connect assistants');
    await reaches(terminal, 'assistants');
    // The wizard starts in another directory, which is another project.
    expect(await terminal.waitFor('as it is now')).toMatch(/Cursor +\S*tmp\/\.cursor\/mcp\.json, stays signed in/);
    terminal.press('s');
    await terminal.waitFor('all your projects');
    terminal.press('enter');
    await terminal.waitFor('These files will change');
    await writesFrom(terminal);
    expect(read('.cursor/mcp.json')).toContain('platform-control-plane');
  });

  test('an entry of the same name that leads elsewhere is replaced only when the person says so', async () => {
    const {platform, env, put, read} = await machine();
    const theirs = '{"mcpServers": {"platform-observability": {"command": "theirs"}}}';
    put('.cursor/mcp.json', theirs);
    const terminal = openSetup([...platform.flags, '--assistants', 'cursor'], {env: {...env, ...clientOf(platform)}});
    await goTo(terminal, 'sign-in');
    terminal.press('enter');
    await terminal.waitFor(/which\s+this\s+program\s+did\s+not\s+write/);
    expect(read('.cursor/mcp.json')).toBe(theirs);
    await choose(terminal, 'Replace the entry');
    await reaches(terminal, 'review');
    expect(read('.cursor/mcp.json')).toBe(theirs);
    terminal.press('enter');
    await reaches(terminal, 'done');
    expect(JSON.parse(read('.cursor/mcp.json')).mcpServers['platform-observability'].args).toContain('serve');
  });

  test('a token that git would commit is refused, with every way out of it', async () => {
    const {platform, surroundings, env} = await machine();
    const project = surroundings.temporary;
    mkdirSync(join(project, '.git'));
    const args = [...platform.flags, '--assistants', 'generic', '--method', 'header', '--project', project];
    const terminal = openSetup(args, {env: {...env, ...clientOf(platform)}});
    await goTo(terminal, 'sign-in');
    terminal.press('enter');
    const screen = await terminal.waitFor('git would commit it');
    for (const way of ['Keep the file out of git', 'Connect without a token', 'Write the token anyway']) {
      expect(screen).toContain(way);
    }
    await choose(terminal, 'Keep the file out of git');
    await terminal.waitFor('.gitignore');
    await reaches(terminal, 'review');
    terminal.press('enter');
    await reaches(terminal, 'done');
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toBe('/.mcp.json\n');
  });
});

/** Returns the environment of a service account. The wizard suggests the account and asks for nothing. */
const clientOf = ({ready}: Awaited<ReturnType<typeof platformForTest>>) => {
  const client = ready.clients.find(one => one.tokenEndpointAuthMethod === 'client_secret_post');
  return {CLI_CLIENT_ID: client?.clientId ?? '', CLI_CLIENT_SECRET: client?.clientSecret ?? ''};
};

describe('a sign-in of the assistant’s own', () => {
  test('is written where the identity provider takes it, and holds nothing secret', async () => {
    const platform = await platformForTest({platform: 'openchoreo', release: '1.2'});
    const {surroundings, env, put, read, run, store} = machineOf({platform, surroundings: surroundingsForTest()});
    put('.config/opencode/opencode.json', openCode);
    const {clientId, secret} = clientIn(platform.ready, 'client_secret_basic');
    const {code, stdout} = await runSetup(
      [
        ...['--yes', ...platform.flags, '--sign-in', 'mcp-client', '--client-id', clientId, '--client-secret-stdin'],
        ...['--method', 'oauth', '--assistants', 'claude-code,cursor,opencode,codex-cli,zed'],
      ],
      {surroundings, env, stdin: `${secret}\n`},
    );
    expect(code).toBe(0);
    expect(read('.config/opencode/opencode.json')).toContain('"clientId": "user_mcp_client"');
    // The client of this release has no redirect URL of Codex, and only that of older versions of Cursor.
    expect(read('.codex/config.toml')).toContain('command = ');
    expect(read('.cursor/mcp.json')).toContain('"serve"');
    expect(stdout).toMatch(
      /Warning: .* has no client user_mcp_client with the redirect URL .* So Codex CLI is connected with the bridge\./,
    );
    expect(stdout).toMatch(
      /Warning: .* with the redirect URL http:\/\/localhost:8787\/callback.* So Cursor is connected with the bridge\./,
    );
    expect(stdout).toContain(
      'Warning: Zed is not known to keep a sign-in of its own; it is connected with the bridge.',
    );
    expect(stdout).toContain('one window can sign another out');
    expect(stdout).toMatch(
      /Warning: Claude Code signs in over TLS only, .* So Claude Code is connected with the helper\./,
    );
    expect(stdout).toContain('Run opencode mcp auth NAME for each server.');
    expectWithout(read('.config/opencode/opencode.json'), store.only().accessToken ?? '');
    expect((await run('mcp', 'list')).stdout).toMatch(/^OpenCode .* signs in by itself \(OAuth\)$/m);
    expect((await run('status')).stdout).toMatch(/OpenCode +signs in by itself \(OAuth\)/);
    const doctor = (await run('doctor', '--verbose')).stdout;
    expect(doctor).toMatch(/✔ Entries of OpenCode: .*, by oauth: control-plane \d+ tools/);
    // A renewal keeps the entries, and a disconnection restores the files.
    expect((await run('mcp', 'connect', '--yes')).stdout).not.toContain('Written: ~/.config/opencode');
    await run('mcp', 'disconnect', 'cursor', 'opencode');
    expect(read('.config/opencode/opencode.json')).toBe(openCode);
    expect(read('.cursor/mcp.json')).toBe(cursor);
  });
});

describe('an assistant that may not use the servers', () => {
  const rules = '{"deniedMcpServers": [{"serverUrl": "*"}, {"serverName": "platform-control-plane"}]}\n';

  test('is left out, and that is said; one that was named is refused before anything is written', async () => {
    const {put, setUp, run, read} = await machine();
    put('.claude/settings.json', rules);
    const {code, stdout} = await setUp();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Warning: These servers are blocked in Claude Code by your own settings \(.*\/\.claude\/settings\.json\)\. It will not be connected\./,
    );
    expect(stdout).toContain('Written: ~/.cursor/mcp.json');
    expect(stdout).not.toContain('Written: ~/.claude.json');
    const before = read('.cursor/mcp.json');
    const named = await run('mcp', 'connect', 'claude-code', 'cursor', '--yes');
    expect(named.code).toBe(6);
    expect(named.stderr).toContain('These servers are blocked in Claude Code');
    expect(named.stderr).toContain('Ask whoever manages this computer');
    expect(read('.cursor/mcp.json')).toBe(before);
  });

  test('is told of by the diagnosis, where the rule came later', async () => {
    const {put, run} = connectedMachine();
    put('.claude/settings.json', rules);
    const {stdout} = await run('doctor', '--verbose');
    expect(stdout).toMatch(/✖ Entries of Claude Code: These servers are blocked in Claude Code/);
  });
});

test('a run without a terminal goes on with the sign-in that a person has made in a browser', async () => {
  const platform = await platformForTest();
  const {surroundings, store, run} = await connected(platform);
  const path = join(surroundings.home, '.cursor', 'mcp.json');
  mkdirSync(dirname(path));
  const {refreshToken} = store.only();
  expect(await run('--yes', '--assistants', 'cursor')).toMatchObject({code: 0, stderr: ''});
  expect(JSON.parse(readFileSync(path, 'utf8')).mcpServers).toHaveProperty('platform-control-plane');
  expect(store.only()).toMatchObject({refreshToken});
  // After the sign-in has ended, a person would have to sign in. The commands that the failure names work without
  // one.
  store.put(store.contexts()[0] as Context, {issuer: platform.ready.authUrl, clientId: 'platform-cli'});
  const ended = await run('--yes', '--assistants', 'cursor');
  expect(ended).toMatchObject({code: 2, stderr: expect.stringContaining('setup login --client-credentials, with')});
});
