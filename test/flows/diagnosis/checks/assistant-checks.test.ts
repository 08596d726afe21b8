import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../../src/assistants/catalogue/all.ts';
import {claudeCode} from '../../../../src/assistants/catalogue/claude-code.ts';
import type {Connection} from '../../../../src/assistants/connection.ts';
import {startsOf} from '../../../../src/command-line/find-own-command.ts';
import type {Context, ContextEntry, Method, Scope} from '../../../../src/domain/context.ts';
import type {Finding} from '../../../../src/domain/finding.ts';
import {assistantChecks} from '../../../../src/flows/diagnosis/checks/assistant-checks.ts';
import {bundled} from '../../../../src/platform/platforms.ts';
import type {Ports, ProcessResult} from '../../../../src/ports/ports.ts';
import {onUnix} from '../../../support/systems/on-unix.ts';
import {worded} from '../../../support/worded.ts';
import {context, jwt, machine} from '../../assistants/support/machine.ts';
import {look, type Situation} from './support/look.ts';

const exited = (code: number, stdout = ''): ProcessResult => ({outcome: 'exited', code, stdout, stderr: ''});

/** Connects an assistant of a signed-in person, and returns a function that runs the check. */
const connected = async (assistant: string, method: Method, scope: Scope = 'user') => {
  const {connect, saved, ports, place, input, home, project} = await machine();
  await connect([assistant, scope, method]);
  const kept = await saved();
  const path = kept.entries?.[0]?.path ?? '';
  const seen: Connection[] = [];
  let failure: Error | undefined;
  const run: string[][] = [];
  return {
    path,
    home,
    project,
    own: input([]).own,
    /** The connections through which the check asked for tools. */
    seen,
    /** Makes every entry fail from now on. */
    fail: (error: Error) => {
      failure = error;
    },
    /** Records the programs that the check started. */
    run,
    /** Changes the values in the file. */
    edit: async (change: (servers: Record<string, Record<string, unknown>>) => void) => {
      const values = JSON.parse(await readFile(path, 'utf8'));
      change(values.mcpServers);
      await writeFile(path, JSON.stringify(values));
    },
    find: (
      more: Pick<Situation, 'outcomes' | 'machine'> & {
        readonly context?: Partial<Context>;
        readonly says?: (program: string, args: readonly string[]) => ProcessResult;
      } = {},
    ): Promise<Finding> => {
      const {context: changed = {}, says = () => ({outcome: 'missing'}) as const, outcomes = {}} = more;
      const now = {...kept, ...changed};
      const [check] = assistantChecks(now, bundled);
      if (!check) throw new Error('There is a check for each file.');
      const asked: Ports['processes']['run'] = async (program, args) => {
        run.push([program, ...args]);
        return says(program, args);
      };
      return look(check, {
        context: now,
        ports: {...ports, processes: {...ports.processes, run: asked}},
        machine: {place, own: input([]).own, assistants: allAssistants, ...more.machine},
        outcomes,
        toolsThrough: async connection => {
          seen.push(connection);
          if (failure) throw failure;
          return {names: ['one', 'two'], tokens: 20, reading: {tools: 2, tokens: 20}, ms: 1};
        },
      });
    },
  };
};

const entry = (assistant: string, project = '/work'): ContextEntry => ({
  ...{assistant, project, scope: 'user', method: 'bridge', path: `${project}/mcp.json`, names: []},
});

test('there is one for each file, and those of the same assistant are told apart', () => {
  const entries = [entry('cursor', '/a'), entry('gone'), entry('cursor', '/b'), entry('cursor', '/c')];
  const checks = assistantChecks({...context, entries}, bundled);
  expect(checks.map(({id, title, needs}) => [id, title, needs])).toEqual([
    ['assistant-cursor-user', 'Entries of Cursor', ['token']],
    ['assistant-gone-user', 'Entries of gone', ['token']],
    ['assistant-cursor-user-2', 'Entries of Cursor, 2', ['token']],
    ['assistant-cursor-user-3', 'Entries of Cursor, 3', ['token']],
  ]);
  expect(assistantChecks(context, bundled)).toEqual([]);
});

describe('entries', () => {
  test.each([
    ['cursor', 'header'],
    ['cursor', 'bridge'],
    ['claude-code', 'helper'],
  ] as const)('of %s by %s are well where tools come through each of them', async (assistant, method) => {
    const {find, path, seen} = await connected(assistant, method);
    const saw = `${path}, by ${method}: control-plane 2 tools, observability 2 tools`;
    expect(await find()).toEqual({verdict: 'pass', saw});
    expect(seen).toHaveLength(2);
  });

  test('are those that were written into that file', async () => {
    const {find, path, seen} = await connected('cursor', 'bridge');
    const entries = [{...entry('cursor'), path, names: ['acme-observability']}];
    expect(await find({context: {entries}})).toMatchObject({saw: `${path}, by bridge: observability 2 tools`});
    expect(seen).toMatchObject([{args: expect.arrayContaining(['observability'])}]);
  });

  test('of an assistant that this version does not know are passed over', async () => {
    const {find} = await connected('cursor', 'bridge');
    expect(await find({machine: {assistants: []}})).toEqual({
      verdict: 'skipped',
      saw: 'cursor is not known to this version',
    });
  });

  const failed = {verdict: 'fail', saw: '', sentence: ''} as unknown as Finding;

  test.each<[string, Finding, Finding]>([
    [
      'does not answer',
      failed,
      {verdict: 'skipped', saw: 'the check of its server failed', because: 'mcp-observability'},
    ],
    [
      'was not asked for a reason',
      {verdict: 'skipped', saw: 'no token', because: 'token'},
      {verdict: 'skipped', saw: 'no token', because: 'token'},
    ],
    ['was not asked', {verdict: 'skipped', saw: 'there is none'}, {verdict: 'skipped', saw: 'there is none'}],
  ])('on a server that %s are not looked at', async (_why, outcome, finding) => {
    const {find} = await connected('cursor', 'bridge');
    expect(await find({outcomes: {'mcp-observability': outcome}})).toStrictEqual(finding);
  });

  const reconnect = 'Connect it again: npx setup doctor --fix.';
  const elsewhere = (url: string) => ({url, headers: {Authorization: 'Bearer x'}});

  test.each<[string, (servers: Record<string, Record<string, unknown>>) => void, RegExp]>([
    [
      'are gone',
      servers => delete servers['acme-observability'],
      /mcp\.json has no entry “acme-observability” any more\.$/,
    ],
  ])('that %s are to be made anew', async (_what, change, message) => {
    const {find, edit} = await connected('cursor', 'header');
    await edit(change);
    await expect(worded(find())).rejects.toMatchObject({
      code: 'local-entry-failed',
      message: expect.stringMatching(message),
      remedy: reconnect,
    });
  });

  test('that were in a file that is gone are to be made anew too', async () => {
    const {find, path} = await connected('cursor', 'header');
    await rm(path);
    await expect(worded(find())).rejects.toMatchObject({
      message: `${path} does not exist any more.`,
      remedy: reconnect,
    });
  });

  test('that the person made their own are left, and not said to be broken', async () => {
    const {find, edit, path} = await connected('cursor', 'header');
    await edit(servers => Object.assign(servers, {'acme-control-plane': elsewhere('http://x.example/mcp')}));
    expect(worded(await find())).toEqual({
      verdict: 'warning',
      saw: path,
      sentence: `“acme-control-plane” in ${path} has been changed since this program wrote it, and stays as it is.`,
      remedy:
        'If you changed the entry on purpose, leave it. To write the entry again, run npx setup mcp connect cursor --replace.',
    });
  });

  test('that hold an expired token which the person put there are to be replaced', async () => {
    const {find, edit} = await connected('cursor', 'header');
    const headers = {Authorization: `Bearer ${jwt(1_000_000_000)}`};
    await edit(servers => Object.assign(servers['acme-observability'] ?? {}, {headers}));
    await expect(worded(find())).rejects.toMatchObject({
      message: expect.stringMatching(/^The token in “acme-observability” of .*mcp\.json expired .* ago\.$/),
      remedy: expect.stringContaining('npx setup mcp connect cursor --replace'),
    });
  });

  test.each([
    ['without a token', {}],
    ['with one that does not tell its end', {Authorization: 'Bearer opaque'}],
    ['with one in another spelling', {Authorization: `bearer ${jwt(4_000_000_000)}`}],
  ])('%s are asked through', async (_what, headers) => {
    const {find, edit} = await connected('cursor', 'header');
    await edit(servers => Object.assign(servers['acme-observability'] ?? {}, {headers}));
    expect(await find()).toMatchObject({verdict: 'pass'});
  });
});

test('an entry that the person has switched off is told as that, and not started', async () => {
  const {find, edit, path, seen} = await connected('kiro', 'bridge');
  await edit(servers => Object.assign(servers['acme-observability'] ?? {}, {disabled: true, command: '/tmp/other'}));
  const saw = `“acme-observability” of ${path}: switched off in Kiro`;
  expect(await find()).toEqual({verdict: 'skipped', saw});
  expect(seen).toHaveLength(1);
});

describe('a command in a file that others can change is not run where it is another one', () => {
  test.each<[string, string, Method, Readonly<Record<string, unknown>>]>([
    ['program', 'cursor', 'bridge', {command: '/tmp/other'}],
    [
      'argument',
      'cursor',
      'bridge',
      {args: ['--import=/tmp/other.js', 'mcp', 'serve', 'observability', '--context', 'acme']},
    ],
    ['variable', 'cursor', 'bridge', {env: {NODE_OPTIONS: '--require /tmp/other.cjs'}}],
    ['working directory', 'cursor', 'bridge', {cwd: '/tmp'}],
    ['file of variables', 'cursor', 'bridge', {envFile: '.env'}],
    ['unknown key', 'cursor', 'bridge', {'\u001b[2Jshell': true}],
    ['helper', 'claude-code', 'helper', {headersHelper: '/tmp/other'}],
    ['variable of a helper', 'claude-code', 'helper', {env: {NODE_OPTIONS: '--require /tmp/other.cjs'}}],
    ['command beside a helper', 'claude-code', 'helper', {command: '/tmp/other'}],
  ])('by its %s', async (_what, assistant, method, change) => {
    const {find, edit, path, seen} = await connected(assistant, method, 'project');
    await edit(servers => Object.assign(servers['acme-observability'] ?? {}, change));
    const isOurs =
      !['command', 'args', 'headersHelper'].includes(Object.keys(change)[0] ?? '') ||
      ('command' in change && method === 'helper');
    expect(worded(await find())).toEqual({
      verdict: 'warning',
      saw: `${path}, “acme-observability”`,
      sentence: `The entry differs from what this program writes, so it was not tried. What differs: ${
        Object.keys(change)[0]?.replace('\u001b', '') ?? ''
      }.`,
      ...(isOurs
        ? {
            remedy:
              'If you did not change the entry, first find out what changed it. To write it again, connect the assistant: npx setup mcp connect.',
            fix: 'reconnect',
          }
        : {remedy: expect.stringContaining(`npx setup mcp connect ${assistant} --replace`)}),
    });
    // The entry before it is unchanged, so it was tried once.
    expect(seen).toHaveLength(1);
  });

  test.each<[Method, Readonly<Record<string, unknown>>]>([
    ['bridge', {disabled: true, timeout: 5, alwaysAllow: ['list'], disabledTools: ['delete']}],
    // Allowed, because the file belongs to the person.
    ['bridge', {env: {HTTPS_PROXY: 'http://proxy'}, cwd: '/tmp'}],
    ['bridge', {enabled: false}],
  ])('but not by what the person chose in it (%s, %j)', async (method, change) => {
    const {find, edit, seen} = await connected('cursor', method);
    await edit(servers => Object.assign(servers['acme-observability'] ?? {}, change));
    expect(await find()).toMatchObject({verdict: 'pass'});
    expect(seen).toHaveLength(2);
  });

  test('and one for a server with a token of its own is known', async () => {
    const {find, edit} = await connected('claude-code', 'helper');
    const resources = {observability: 'https://observer.example/mcp'};
    expect(await find({context: {resources}})).toMatchObject({saw: expect.stringContaining('“acme-observability”')});
    await edit(servers => {
      const helper = String(servers['acme-observability']?.headersHelper);
      Object.assign(servers['acme-observability'] ?? {}, {
        headersHelper: helper.replace('--context acme', '--context acme --server observability'),
      });
    });
    expect(await find({context: {resources}})).toMatchObject({verdict: 'pass'});
  });
});

describe('an entry that another version or another runner of this program has written', () => {
  const exe = process.platform === 'win32' ? '.exe' : '';
  const put = async (path: string) => {
    await mkdir(dirname(path), {recursive: true});
    await writeFile(path, '');
    return path;
  };

  /** Creates a copy of version 0.0.9, a Node on PATH, and entries of a project that start the given command. */
  const starting = async (method: Method = 'bridge') => {
    const assistant = method === 'helper' ? 'claude-code' : 'cursor';
    const scene = await connected(assistant, method, method === 'helper' ? 'user' : 'project');
    const {edit, find, own, home} = scene;
    const programs = join(own.home, 'programs');
    const copy = join(programs, '0.0.9');
    const [launcher, ownNode] = await Promise.all([
      put(join(copy, 'bin', 'setup.js')),
      put(join(copy, 'bin', `node${exe}`)),
      put(join(copy, 'copy.json')),
    ]);
    const node = await put(join(home, 'tools', `node${exe}`));
    const program = join(home, '.npm', '_npx', '1', 'node_modules', 'platform-setup', 'bin', 'setup.js');
    const running = await put(join(home, 'running', `node${exe}`));
    const here = {startsOf: startsOf({env: {PATH: dirname(node)}, program}, {node: running, versions: {}})};
    return {
      ...{...scene, programs, copy, launcher, ownNode, node, running},
      /** Makes the entries start this command, with these words before those that this program writes. */
      start: (command: string, words: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
        edit(servers => {
          for (const entry of Object.values(servers)) {
            const written = [own.command, ...own.args].join(' ');
            Object.assign(
              entry,
              method === 'helper'
                ? {headersHelper: String(entry.headersHelper).replace(written, [command, ...words].join(' '))}
                : {command, args: [...words, ...(entry.args as readonly string[]).slice(own.args.length)]},
              more,
            );
          }
        }),
      find: (version = '0.1.0') => find({machine: {...here, version}}),
    };
  };

  type Start = (scene: Awaited<ReturnType<typeof starting>>) => readonly [command: string, ...words: string[]];

  test.each<[string, Start]>([
    ['the Node in it', ({ownNode, launcher}) => [ownNode, launcher]],
    ['a Node on PATH', ({node, launcher}) => [node, launcher]],
    ['the Node that runs', ({running, launcher}) => [running, launcher]],
    ['the Deno in it', ({copy, launcher}) => [join(copy, 'bin', `deno${exe}`), 'run', '-A', launcher]],
    [
      'the Bun in it',
      ({copy, launcher}) => [
        join(copy, 'bin', `bun${exe}`),
        ...['--no-env-file', '--no-install', `--config=${join(copy, 'bin', 'bunfig.toml')}`],
        ...[`--tsconfig-override=${join(copy, 'bin', 'package.json')}`, launcher],
      ],
    ],
  ])('is started where it starts one of the person’s copies, by %s', async (_by, words) => {
    const scene = await starting();
    const [command, ...before] = words(scene);
    await put(command);
    await scene.start(command, before);
    expect(await scene.find()).toEqual({
      verdict: 'pass',
      saw: `${scene.path}, by bridge: control-plane 2 tools, observability 2 tools; starts platform-setup 0.0.9 (this is 0.1.0)`,
    });
    expect(scene.seen).toMatchObject([{command}, {command}]);
  });

  test('is judged like any other: tools that do not come are a failure', async () => {
    const scene = await starting();
    await scene.start(scene.node, [scene.launcher]);
    scene.fail(new Error('It did not start.'));
    await expect(scene.find()).rejects.toThrow('It did not start.');
  });

  test('says nothing of a version that is the one that runs', async () => {
    const {start, find, node, launcher} = await starting();
    await start(node, [launcher]);
    expect((await find('0.0.9')).saw).not.toContain('0.0.9');
  });

  // On Windows each word has the shell's quotes around it.
  onUnix('is started as a helper too', async () => {
    const {start, find, node, launcher, seen} = await starting('helper');
    await start(node, [launcher]);
    expect((await find()).saw).toContain('starts platform-setup 0.0.9');
    expect(seen).toMatchObject([{kind: 'helper'}, {kind: 'helper'}]);
  });

  test.each<[string, Start, Readonly<Record<string, unknown>>?]>([
    ['a program beside the copies', ({node, own}) => [node, join(own.home, 'other', 'bin', 'setup.js')]],
    ['a path out of them', ({node, copy}) => [node, `${join(copy, '..', '..')}/programs/../other/bin/setup.js`]],
    ['a path that leads back', ({node, copy}) => [node, `${copy}/../0.0.9/bin/setup.js`]],
    ['a directory there that is no copy', ({node, programs}) => [node, join(programs, '0.0.8', 'bin', 'setup.js')]],
    ['another file of a copy', ({node, copy}) => [node, join(copy, 'dist', 'cli.js')]],
    ['a program of the project', ({node, project}) => [node, join(project, 'bin', 'setup.js')]],
    ['a Node of the project', ({project, launcher}) => [join(project, 'node'), launcher]],
    ['another program of a copy', ({copy, launcher}) => [join(copy, 'bin', 'other'), launcher]],
    ['a Node by its name', ({launcher}) => ['node', launcher]],
    ['a Node with a word more', ({node, launcher}) => [node, '--import=/tmp/other.mjs', launcher]],
    ['a launcher with a word more', ({node, launcher}) => [node, launcher, '--setup-home=/tmp/other']],
    ['a Node with the words of another', ({node, launcher}) => [node, 'run', '-A', launcher]],
    ['one with variables', ({node, launcher}) => [node, launcher], {env: {NODE_OPTIONS: '--require /tmp/other.cjs'}}],
    ['one in a directory', ({node, launcher}) => [node, launcher], {cwd: '/tmp'}],
  ])('is not started where it starts %s', async (_what, words, more) => {
    const scene = await starting();
    const [command, ...before] = words(scene);
    for (const path of [command, ...before]) if (path.startsWith(scene.project)) await put(path);
    await Promise.all([
      put(join(scene.own.home, 'other', 'bin', 'setup.js')),
      put(join(scene.programs, '0.0.8', 'bin', 'setup.js')),
      put(join(scene.copy, 'bin', 'other')),
    ]);
    await scene.start(command, before, more);
    expect(await scene.find()).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringMatching(/^The entry differs from what this program writes, so it was not tried\./),
    });
    expect(scene.seen).toEqual([]);
  });
});

describe('a token in a file', () => {
  const git = (tracked: number, ignored: number) => (program: string, args: readonly string[]) =>
    program === 'git' ? exited(args.includes('ls-files') ? tracked : ignored) : ({outcome: 'missing'} as const);

  test.each([
    ['git would commit', 1, 1, 'warning'],
    ['git has already', 0, 0, 'warning'],
    ['git leaves alone', 1, 0, 'pass'],
  ])('that %s', async (_what, tracked, ignored, verdict) => {
    const {find, path, home} = await connected('cursor', 'header');
    await mkdir(join(home, '.git'));
    const found = await find({says: git(tracked, ignored)});
    expect(found.verdict).toBe(verdict);
    if (verdict === 'pass') return;
    expect(worded(found)).toMatchObject({
      saw: `${path}, by header: control-plane 2 tools, observability 2 tools`,
      sentence: tracked
        ? `${path} holds a token, and git would commit it.`
        : `${path} holds a token, and git tracks this file, so the token may be committed already.`,
      // Without the assistant and the scope, the command would write other entries and leave the token where it is.
      remedy: `Connect without a token: npx setup mcp connect cursor --scope user --method bridge.${tracked ? '' : ' If the token is committed already, sign out too: npx setup logout. The identity provider then revokes it, if it can.'}`,
    });
  });

  test('is none where the program in between holds it', async () => {
    const {find, home, run} = await connected('cursor', 'bridge');
    await mkdir(join(home, '.git'));
    expect(await find({says: git(0, 0)})).toMatchObject({verdict: 'pass'});
    expect(run).toEqual([]);
  });
});

describe('a client that runs helpers', () => {
  const version =
    (text: string, code = 0) =>
    (program: string) =>
      program === 'claude' ? exited(code, text) : ({outcome: 'missing'} as const);

  test('is to be updated where it became too old for them', async () => {
    const {find, run} = await connected('claude-code', 'helper');
    expect(worded(await find({says: version('2.1.200 (Claude Code)')}))).toEqual({
      verdict: 'warning',
      saw: 'Claude Code 2.1.200',
      sentence:
        'Claude Code 2.1.200 signs you out after an hour: it runs a helper correctly only from version 2.1.248 on.',
      remedy: 'Update it, or connect it through the bridge: npx setup mcp connect.',
      fix: 'reconnect',
    });
    expect(run).toEqual([['claude', '--version']]);
  });

  test.each<[string, (program: string) => ProcessResult]>([
    ['is new enough', version('2.1.248 (Claude Code)')],
    ['does not say its version', version('hello')],
    ['is not on PATH', () => ({outcome: 'missing'})],
    ['does not answer', () => ({outcome: 'timed-out'})],
  ])('is well where it %s', async (_what, says) => {
    const {find} = await connected('claude-code', 'helper');
    expect(await find({says})).toMatchObject({verdict: 'pass'});
  });

  test('is not asked where another way was chosen', async () => {
    const {find, run} = await connected('claude-code', 'bridge');
    expect(await find({says: version('2.1.200')})).toMatchObject({verdict: 'pass'});
    expect(run).toEqual([]);
  });
});

const everyWay = allAssistants.flatMap(({id, entry, files}) => {
  const place = {home: '/home/ann', project: '/work', system: 'linux', env: {}} as const;
  const scopes = (['user', 'project'] as const).filter(scope => files(scope, place).length > 0);
  const methods = (['bridge', 'helper', 'header'] as const).filter(
    method => method === 'bridge' || entry[method] !== undefined,
  );
  return scopes.flatMap(scope => methods.map(method => [id, scope, method] as const));
});

test.each(everyWay)('what is written for %s (%s, %s) is known again, so it is started', async (id, scope, method) => {
  const {find, seen} = await connected(id, method, scope);
  expect(['pass', 'warning']).toContain((await find()).verdict);
  expect(seen).toHaveLength(2);
});

test('entries that an organisation keeps the client from using are not tried', async () => {
  const {find, home, seen} = await connected('claude-code', 'bridge');
  expect((await find()).verdict).toBe('pass');
  const path = join(home, '.claude', 'settings.json');
  await mkdir(join(home, '.claude'));
  await writeFile(path, JSON.stringify({deniedMcpServers: [{serverName: 'acme-observability'}]}));
  seen.length = 0;
  await expect(find()).rejects.toMatchObject({
    code: 'local-entry-blocked',
    message: expect.stringContaining(`blocked in Claude Code by your own settings (${path})`),
  });
});

test('entries in the place of which an organisation has given others are not tried, and nothing is wrong', async () => {
  const {find, home, path, seen} = await connected('claude-code', 'bridge');
  const given = join(home, 'given.json');
  const {directory: _, ...rules} = claudeCode.rules as NonNullable<typeof claudeCode.rules>;
  const assistants = [{...claudeCode, rules: {...rules, files: () => [given]}}];
  const servers = (names: readonly string[]) =>
    JSON.stringify({
      mcpServers: Object.fromEntries(
        names.map(name => [
          name,
          {type: 'stdio', command: 'node', args: ['mcp', 'serve', name, '--context', context.name]},
        ]),
      ),
    });
  await writeFile(given, servers(['control-plane', 'observability']));
  expect(await find({machine: {assistants}})).toEqual({
    verdict: 'pass',
    saw: `${given}, by your organisation; ${path} is ignored`,
  });
  await writeFile(given, servers([]));
  await expect(find({machine: {assistants}})).rejects.toMatchObject({code: 'local-entry-blocked'});
  expect(seen).toEqual([]);
});

test('entries of a project that the client does not trust yet are a warning', async () => {
  const {find, path} = await connected('claude-code', 'bridge', 'project');
  expect(await find()).toMatchObject({verdict: 'warning', saw: `${path}, untrusted`});
});
