import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {appendFileSync, cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import {temporaryDirectory} from './support/place.ts';
import {onUnix} from './support/systems/on-unix.ts';
import {launcher} from './support/terminal/terminal-environment.ts';

const root = dirname(dirname(launcher));

/** Creates a checkout of its own, with the libraries of this one. */
const checkout = async () => {
  const directory = await temporaryDirectory();
  for (const part of ['bin', 'src', 'scripts', 'patches', 'package.json', 'package-lock.json'])
    cpSync(join(root, part), join(directory, part), {recursive: true});
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const start = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, args, {
      cwd: directory,
      env: {PATH: process.env.PATH, HOME: directory, NODE_DISABLE_COMPILE_CACHE: '1'},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => said.push(text));
    const [code] = await once(child, 'close');
    return {code, said: said.join('')};
  };
  return {
    directory,
    build: () => start(join(directory, 'scripts', 'build.js')),
    run: (...args: readonly string[]) => start(join(directory, 'bin', 'setup.js'), ...args),
    current: () => readFileSync(join(directory, 'dist', 'current'), 'utf8'),
    change: () => appendFileSync(join(directory, 'src', 'cli.ts'), '// Another one.\n'),
  };
};

onUnix(
  'a build is made beside the one that runs: every program that is started meanwhile works',
  async () => {
    const {directory, build, run, current, change} = await checkout();
    expect(await run('status')).toMatchObject({code: 70, said: 'The program is not built. Run: npm ci\n'});
    // Two builds at once: the later one finds the work done.
    for (const {code, said} of await Promise.all([build(), build()])) expect([code, said]).toEqual([0, '']);
    const first = current();
    const made = statSync(join(directory, 'dist', 'current')).mtimeMs;

    // Nothing has changed, so nothing is built.
    expect(await build()).toMatchObject({code: 0});
    expect(statSync(join(directory, 'dist', 'current')).mtimeMs).toBe(made);

    change();
    let isBuilding = true;
    const building = build().finally(() => {
      isBuilding = false;
    });
    const commands = [['status'], ['token'], ['mcp', 'serve', 'control-plane']] as const;
    const codes = new Set<string>();
    while (isBuilding) {
      const ended = await Promise.all(commands.map(command => run(...command)));
      for (const [at, {code, said}] of ended.entries())
        codes.add(`${commands[at]?.[0]} ${code} ${/not built|Cannot find/.test(said)}`);
    }
    expect(await building).toMatchObject({code: 0, said: ''});
    expect([...codes].toSorted()).toEqual(['mcp 0 false', 'status 1 false', 'token 4 false']);

    // A program of the previous build still finds its parts.
    expect(current()).not.toBe(first);
    expect(existsSync(join(directory, 'dist', first, 'cli.js'))).toBe(true);
    expect(readdirSync(join(directory, 'dist')).filter(name => name.endsWith('.new'))).toEqual([]);
    // Two builds, with programs started throughout, take minutes on a busy machine.
  },
  240_000,
);
