import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {basename, delimiter, dirname, join, relative} from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {commands as allCommands} from '../../src/command-line/commands.ts';
import {type Platform, startPlatform} from '../e2e/support/platform.ts';
import {clientOf} from '../support/platform.ts';
import {isWholeTable} from '../support/tables.ts';
import {createSurroundings, launcher, type Surroundings} from '../support/terminal/terminal-environment.ts';
import {afterConnecting, commands, withoutDirectory} from './support/commands.ts';
import {repositories, sceneIn} from './support/repositories.ts';

const watcher = join(import.meta.dirname, 'support/watch.cjs');

/** Files on the machine beside the repository and this program's own files. None of them may change. */
const personal = {'.bashrc': '# mine\n', '.ssh/rc': '{}', '.profile': '', 'notes/todo.json': '{}'};

/** Behaves like npm, which obeys the files in the directory in which it starts. */
const npm = (mark: string) => `#!/bin/sh
if [ -e .npmrc ] || [ -e node_modules/platform-setup ] || [ -n "$npm_config_registry" ]; then echo "npm in $PWD" >> '${mark}'; fi
case "$1" in
  view) echo '"99.0.0"' ;;
  config) echo https://registry.example/ ;;
esac
`;

/** Returns the files below a directory with their contents, and links with their targets. */
const contentsOf = (directory: string, leaveOut: readonly string[]): Readonly<Record<string, string>> => {
  const found = readdirSync(directory, {recursive: true, withFileTypes: true, encoding: 'utf8'}).flatMap(entry => {
    const path = join(entry.parentPath, entry.name);
    if (leaveOut.some(one => path === one || path.startsWith(`${one}/`))) return [];
    const what = entry.isSymbolicLink() ? readlinkSync(path) : entry.isFile() ? readFileSync(path, 'utf8') : '';
    return [[relative(directory, path), `${statSync(dirname(path)).isDirectory()} ${what}`] as const];
  });
  return Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

type Watched = {
  readonly started?: readonly string[];
  readonly cwd?: string;
  readonly wrote?: string;
  readonly by?: string;
};

describe.skipIf(process.platform === 'win32')('a repository that means harm', () => {
  let platform: Platform;
  let prepared: Surroundings;
  let secret: {readonly clientId: string; readonly secret: string};

  /** Creates a copy of the prepared machine, with a repository in it. */
  const machine = () => {
    const surroundings = createSurroundings();
    onTestFinished(surroundings.remove);
    const {home, setupHome} = surroundings;
    cpSync(prepared.home, home, {recursive: true});
    // The journal names files of the machine that was prepared.
    rmSync(join(setupHome, 'journal'), {recursive: true});
    for (const [path, text] of Object.entries(personal)) {
      mkdirSync(dirname(join(home, path)), {recursive: true});
      writeFileSync(join(home, path), text);
    }
    const root = dirname(home);
    const [project, mark, watched] = [join(home, 'project'), join(root, 'executed'), join(root, 'watched')];
    mkdirSync(project);
    const tools = join(root, 'bin');
    writeFileSync(join(tools, 'npm'), npm(mark), {mode: 0o755});
    writeFileSync(watched, '');
    const env = {
      ...surroundings.env,
      // As npx and a careless person set PATH.
      PATH: [join(project, 'node_modules/.bin'), '', '.', tools, '/usr/bin', '/bin'].join(delimiter),
      CLI_CLIENT_ID: secret.clientId,
      CLI_CLIENT_SECRET: secret.secret,
      KUBECONFIG: 'kubeconfig',
      npm_config_user_agent: 'npm/11',
      npm_config_registry: 'http://127.0.0.1:1/',
    };
    const run = async (args: readonly string[]) => {
      const child = spawn(process.execPath, ['--require', watcher, launcher, ...args], {
        ...{cwd: project, env: {...env, WATCHED: watched}},
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      const [code] = await once(child, 'close');
      return {code, output};
    };
    const seen = () =>
      readFileSync(watched, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line): Watched => JSON.parse(line));
    return {...{home, setupHome, project, mark, run, seen, root}, temporary: surroundings.temporary};
  };

  beforeAll(async () => {
    platform = await startPlatform();
    secret = clientOf(platform.ready, 'client_secret_post');
    prepared = createSurroundings();
    const args = ['--yes', '--sign-in', 'service-account', '--assistants', 'none', ...platform.flags];
    const env = {...prepared.env, CLI_CLIENT_ID: secret.clientId, CLI_CLIENT_SECRET: secret.secret};
    const child = spawn(process.execPath, [launcher, ...args], {env, cwd: prepared.temporary, stdio: 'ignore'});
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  afterAll(async () => {
    await platform.end();
    prepared.remove();
  });

  const cases = repositories.flatMap(repository =>
    Object.keys(commands)
      .filter(command => isWholeTable || repository.always.includes(command))
      .map(command => [repository.name, command, repository] as const),
  );

  test.each(cases)('with %s, under %s', async (_name, command, repository) => {
    const {home, setupHome, project, mark, run, seen, temporary} = machine();
    if (afterConnecting.includes(command)) {
      expect((await run([...(commands['mcp connect, headers'] ?? [])])).code).toBe(0);
      // The repository becomes hostile only from here on.
      rmSync(project, {recursive: true});
      mkdirSync(project);
    }
    repository.plant(sceneIn(project, home, mark));
    const own = [project, setupHome, join(home, '.cache')];
    const before = contentsOf(home, own);
    const {code, output} = await run([...(commands[command] ?? []), ...(command === 'wizard' ? platform.flags : [])]);
    // Exit code 70 means a bug of the program. Every other code is an orderly end.
    if (code === 70) expect.fail(output);
    expect(existsSync(mark) ? readFileSync(mark, 'utf8') : '').toBe('');
    expect(existsSync(join(project, 'executed'))).toBe(false);
    expect(contentsOf(home, own)).toEqual(before);
    const inProject = (path: string) => path === project || path.startsWith(`${project}/`);
    for (const {started, cwd, wrote, by} of seen()) {
      if (started)
        expect([started, inProject(cwd ?? ''), inProject(started[0] ?? '')]).toEqual([started, false, false]);
      const allowed = [
        project,
        setupHome,
        temporary,
        join(home, '.cache'),
        // The mark of a removed directory, until the removal has ended.
        join(dirname(setupHome), `.${basename(setupHome)}.platform-setup-removed`),
        join(launcher, '../../node_modules/.cache'),
      ];
      // The system names a held directory in its own way, below one of these. Its contents were checked above.
      const isAllowed = wrote === undefined || allowed.some(one => wrote.startsWith(one)) || wrote === '/dev/null';
      expect([by, wrote, isAllowed]).toEqual([by, wrote, true]);
    }
  });

  test('every command is in the table, or takes no working directory', () => {
    const inTable = Object.values(commands).map(words => words.slice(0, 2).join(' '));
    const named = allCommands.map(({words}) => words.join(' ')).filter(words => words !== '');
    const missing = named.filter(
      words => !withoutDirectory.includes(words) && !inTable.some(one => `${one} `.startsWith(`${words} `)),
    );
    expect(missing).toEqual([]);
  });

  test('a link that leads out of the project is named, and nothing else is said to be written', async () => {
    const {home, project, mark, run} = machine();
    sceneIn(project, home, mark).link(join(home, '.ssh/rc'), '.mcp.json');
    const {code, output} = await run(['mcp', 'connect', 'claude-code', '--scope', 'project', '--yes']);
    expect(code).toBe(6);
    expect(output).toContain(`${join(project, '.mcp.json')} leads to ${join(home, '.ssh/rc')}, outside of the project`);
    rmSync(project, {recursive: true});
  });
});
