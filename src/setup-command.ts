import {existsSync, readFileSync, realpathSync} from 'node:fs';
import {basename, dirname, join, sep} from 'node:path';
import {directoriesIn, pathIn} from './search-path.ts';
import {posixQuoted} from './shell-quoting.ts';

/** The name of this program in npm's registry, and of its command. */
const PACKAGE = 'platform-setup';

/** The facts that tell how this program was started. */
export type Started = {
  /** The path of the launcher, as Node was given it. */
  readonly launcher: string;
  /** The path of the Node, Bun or Deno that runs it. */
  readonly runtime: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
};

/**
 * Returns the words that start this same program from the person's directory, for texts that put `login` or `doctor`
 * after them. `npx setup` works only in the checkout: elsewhere it fetches a stranger's package of that name.
 */
export const setupCommand = (started: Started): string => {
  const {env, cwd} = started;
  // A person who starts this program by a command of their own names it here.
  if (env.SETUP_COMMAND) return env.SETUP_COMMAND;
  const launcher = realPath(started.launcher);
  const root = dirname(dirname(launcher));
  if (join('bin', 'setup.js') !== join(basename(dirname(launcher)), basename(launcher))) return 'npx setup';
  const project = /^(.*?)[\\/]node_modules[\\/]/.exec(launcher)?.[1];
  return (
    byRunner(launcher, started) ??
    // Tested before the link in npx's cache, through which npx itself starts the checkout.
    (project === undefined && isWithin(cwd, root) ? 'npx setup' : undefined) ??
    (started.launcher === launcher ? undefined : byRunner(started.launcher, started)) ??
    onPath(launcher, started) ??
    // Plug'n'Play and shared stores keep packages elsewhere; a manager that runs one names itself in the environment.
    (project !== undefined && (isWithin(cwd, project) || managerIn(env) !== undefined)
      ? inProject(started)
      : undefined) ??
    byPath(launcher, started)
  );
};

/** Returns the command of a runner that has fetched this program for one run, and would fetch it again. */
const byRunner = (launcher: string, {env, versions}: Started): string | undefined => {
  const cache = /^(.*[\\/]_npx[\\/][^\\/]+)[\\/]node_modules[\\/]/.exec(launcher)?.[1];
  if (cache !== undefined) return byNpx(cache);
  if (/[\\/]\.?bunx-[^\\/]+[\\/]/.test(launcher)) return `bunx ${PACKAGE}`;
  if (/[\\/]dlx(?:-[^\\/]+)?[\\/]/.test(launcher))
    return `${managerIn(env) === 'yarn' ? 'yarn' : 'pnpm'} dlx ${PACKAGE}`;
  return versions.deno !== undefined && /[\\/]npm[\\/]/.test(launcher) ? `deno run -A npm:${PACKAGE}` : undefined;
};

/** Returns the npx command. npx records in its cache what was asked for: a version, an archive, or the name alone. */
const byNpx = (cache: string): string => {
  const usual = `npx ${PACKAGE}`;
  try {
    const {_npx: noted} = JSON.parse(readFileSync(join(cache, 'package.json'), 'utf8'));
    const packages: unknown = noted?.packages;
    if (!Array.isArray(packages) || packages.some(one => typeof one !== 'string')) return usual;
    const [first = PACKAGE] = packages;
    if (packages.length === 1 && /^platform-setup(?:@(?:latest|[\d.]+))?$/.test(first)) return `npx ${first}`;
    return ['npx', ...packages.map(one => `--package=${quoted(one)}`), PACKAGE].join(' ');
  } catch {
    return usual;
  }
};

/** Returns the command in a project that has this package, by the package manager that runs it. */
const inProject = ({env, versions}: Started): string => {
  if (versions.deno !== undefined) return `deno run -A npm:${PACKAGE}`;
  const manager = managerIn(env);
  if (manager === 'pnpm') return `pnpm exec ${PACKAGE}`;
  if (manager === 'yarn') return `yarn ${PACKAGE}`;
  return versions.bun !== undefined || manager === 'bun' ? `bunx ${PACKAGE}` : `npx ${PACKAGE}`;
};

const managerIn = ({npm_config_user_agent: agent = ''}: Started['env']): string | undefined => /^\w+/.exec(agent)?.[0];

/** Returns the command name that starts this same program from the person's PATH; undefined if there is none. */
const onPath = (launcher: string, started: Started): string | undefined => {
  const ends = started.platform === 'win32' ? ['.cmd', ''] : [''];
  const isThis = (file: string) =>
    started.platform === 'win32'
      ? // On Windows npm installs a script there that names the package beside it.
        existsSync(file) && isWithin(launcher, join(dirname(file), 'node_modules', PACKAGE))
      : realPath(file) === launcher;
  return [PACKAGE, 'setup'].find(name =>
    directoriesOf(started).some(directory => ends.some(end => isThis(join(directory, `${name}${end}`)))),
  );
};

/** Returns the command by path, with the runtime that is running now. */
const byPath = (launcher: string, started: Started): string => {
  const {runtime, versions, platform} = started;
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const [found] = directoriesOf(started)
    .map(directory => join(directory, name))
    .filter(existsSync);
  const isNode = versions.bun === undefined && versions.deno === undefined;
  // In the checkout any Node works: the launcher continues with the project's own.
  const bringsOwn = existsSync(join(dirname(dirname(launcher)), 'node_modules', 'node', 'bin', name));
  const isShort = isNode && found !== undefined && (bringsOwn || realPath(found) === realPath(runtime));
  return [isShort ? 'node' : quoted(runtime), ...(versions.deno ? ['run', '-A'] : []), quoted(launcher)].join(' ');
};

const directoriesOf = ({env, platform, cwd}: Started) => directoriesIn(pathIn(env, platform), {platform, cwd});

const isWithin = (path: string, directory: string): boolean =>
  realPath(path) === realPath(directory) || realPath(path).startsWith(`${realPath(directory)}${sep}`);

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

const quoted = (word: string): string => {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (sep === '\\' || !word.includes('\\'))) return word;
  return sep === '\\' ? `"${word}"` : posixQuoted(word);
};

const workingDirectory = (): string => {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
};

/** The command that starts this program, for texts such as `${SETUP} login`. It does not change during a run. */
export const SETUP: string = setupCommand({
  launcher: process.argv[1] ?? '',
  runtime: process.execPath,
  cwd: workingDirectory(),
  env: process.env,
  versions: process.versions,
  platform: process.platform,
});
