import {constants, realpathSync} from 'node:fs';
import {access, readdir, stat} from 'node:fs/promises';
import {basename, delimiter, dirname, isAbsolute, join, win32} from 'node:path';
import {isSamePath, isWithin} from '../../domain/paths.ts';
import {directoriesIn, pathIn, pathsOf, type Where} from '../../search-path.ts';
import type {Env} from '../ports.ts';

/** Where programs are searched for: on this machine, unless a test replaces a part. */
type Place = Where & {
  /** Whether there is an executable file at that absolute path. */
  readonly isProgram?: (path: string) => Promise<boolean>;
};

/** The extensions that Windows starts without a shell. Scripts (`.cmd`, `.bat`) are not among them. */
const STARTABLE = ['.com', '.exe'];

/**
 * Returns the absolute path of a program. A name is searched for in the absolute directories of PATH and nowhere else:
 * the working directory may be an untrusted repository, whose `git` is not git. For the same reason, empty and relative
 * entries of PATH are ignored, and so are entries that npm and similar tools add for one run, and the rule of Windows
 * to search the working directory first.
 *
 * @param name of a program, or its absolute path
 * @returns undefined if there is none
 */
export const findProgram = async (name: string, env: Env, where: Place = {}): Promise<string | undefined> => {
  const {platform = process.platform, isProgram = canBeStarted} = where;
  const {isAbsolute, join, basename} = pathsOf(platform);
  const candidates = isAbsolute(name)
    ? [name]
    : name === basename(name)
      ? directoriesIn(pathIn(env, platform), where).flatMap(directory =>
          namesOf(name, env, platform).map(one => join(directory, one)),
        )
      : [];
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate;
  return undefined;
};

/**
 * Returns the absolute paths of many programs, as `findProgram` does. Reads each directory of PATH once: asking for each
 * name in each directory would fail hundreds of times, and an error costs more than a name.
 */
export const findPrograms = async (
  names: readonly string[],
  env: Env,
  where: Place = {},
): Promise<readonly (string | undefined)[]> => {
  const {platform = process.platform, isProgram = canBeStarted} = where;
  const {basename, dirname, join} = pathsOf(platform);
  const directories = directoriesIn(pathIn(env, platform), where).map(directory => dirname(join(directory, 'name')));
  const listings = new Map(await Promise.all(directories.map(async one => [one, await namesIn(one)] as const)));
  const isListed = (path: string) => listings.get(dirname(path))?.has(basename(path).toLowerCase()) ?? true;
  const own = {...where, isProgram: async (path: string) => isListed(path) && isProgram(path)};
  return Promise.all(names.map(name => findProgram(name, env, own)));
};

/**
 * Returns the names in a directory, in lower case, because not every file system distinguishes case. Undefined if they
 * cannot be read: a directory may allow its programs to be started all the same.
 */
const namesIn = async (directory: string): Promise<ReadonlySet<string> | undefined> => {
  try {
    return new Set((await readdir(directory)).map(name => name.toLowerCase()));
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return isGone ? new Set() : undefined;
  }
};

/** From this many names on, reading whole directories takes less than asking for each name. */
const MANY = 4;

/** Creates a function that finds programs; those that are asked for at the same time are looked up together. */
export const createProgramFinder = (env: Env): ((name: string) => Promise<string | undefined>) => {
  type Asked = {readonly name: string; readonly answer: (path: string | undefined) => void};
  let asked: Asked[] = [];
  const answerAll = async () => {
    const batch = asked;
    asked = [];
    const names = batch.map(({name}) => name);
    const paths = await (names.length < MANY
      ? Promise.all(names.map(name => findProgram(name, env)))
      : findPrograms(names, env));
    for (const [index, {answer}] of batch.entries()) answer(paths[index]);
  };
  return name =>
    new Promise(answer => {
      if (asked.push({name, answer}) === 1) queueMicrotask(() => void answerAll());
    });
};

const namesOf = (name: string, {PATHEXT}: Env, platform: NodeJS.Platform): readonly string[] => {
  if (platform !== 'win32') return [name];
  const known = PATHEXT?.toLowerCase()
    .split(';')
    .filter(extension => STARTABLE.includes(extension));
  const extensions = known ?? STARTABLE;
  return extensions.includes(win32.extname(name).toLowerCase()) ? [name] : extensions.map(one => `${name}${one}`);
};

const canBeStarted = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
};

/**
 * The directories into which npx, pnpm dlx, yarn dlx, bunx and Deno fetch programs, for one run or until they are
 * cleaned.
 */
const fetched = /[\\/](_npx|dlx|dlx-[^\\/]+|bunx-[^\\/]+|deno[\\/]npm)[\\/]/;

/** A package in a moved cache of Deno: below the registry's name, in a directory of its version. */
const cachedByDeno = /[\\/]npm[\\/][^\\/]+[\\/](?:@[^\\/]+[\\/])?[^\\/]+[\\/]\d+\.\d+\.\d+[^\\/]*[\\/]bin[\\/]/;

/**
 * Directories in which managers of Node, Bun and Deno keep one version until an upgrade, which also removes its global
 * packages.
 */
const versioned = new RegExp(
  `[\\\\/]\\.?(?:${[
    'nvm[\\\\/](?:versions[\\\\/]|v\\d)',
    'Cellar[\\\\/]',
    'fnm_multishells[\\\\/]',
    'node-versions[\\\\/]',
    'volta[\\\\/]tools[\\\\/]',
    '(?:asdf|mise|rtx)[\\\\/]installs[\\\\/]',
    'n[\\\\/]versions[\\\\/]',
    'nodenv[\\\\/]versions[\\\\/]',
    'nodebrew[\\\\/]node[\\\\/]',
    'nvs[\\\\/]node[\\\\/]',
    'proto[\\\\/]tools[\\\\/]',
    'version-fox[\\\\/]cache[\\\\/]',
    'pnpm[\\\\/]nodejs[\\\\/]',
    'snap[\\\\/][^\\\\/]+[\\\\/]x?\\d+[\\\\/]',
    '(?:nix|gnu)[\\\\/]store[\\\\/]',
  ].join('|')})`,
);

/** Packages of a project, which disappear with it or with its next installation. */
const installed = /[\\/]node_modules[\\/]/;

/** Packages for all users or for the person: below npm's prefix, and in the global stores of pnpm, Yarn and Bun. */
const installedForGood = /[\\/](?:lib|npm|nodejs|global(?:[\\/]\d+)?)[\\/]node_modules[\\/]/;

/**
 * Whether a program stays where it is. One that was fetched for a run, or belongs to a project or to one version of
 * Node, does not.
 */
export const isLasting = (path: string): boolean =>
  !fetched.test(path) &&
  !cachedByDeno.test(path) &&
  !versioned.test(path) &&
  (!installed.test(path) || installedForGood.test(path));

type Names = {
  readonly env: Env;
  /** The launcher of this program. */
  readonly program: string;
  readonly resolve?: (path: string) => string;
};

/**
 * Returns the path of the running Node, or another path to the same Node, that will still exist after its next upgrade:
 * for a Node in a directory of its version, a package manager's link on PATH. Undefined if there is none.
 */
export const lastingNode = (node: string, {env, program, resolve = realpathSync}: Names): string | undefined => {
  // A checkout's own Node disappears with the checkout, and so does the program.
  if (isLasting(node) || isWithin(node, join(dirname(dirname(program)), 'node_modules'))) return node;
  const isSame = (path: string) => {
    try {
      return isSamePath(resolve(path), resolve(node));
    } catch {
      return false;
    }
  };
  return pathIn(env)
    .split(delimiter)
    .filter(isAbsolute)
    .map(directory => join(directory, basename(node)))
    .find(path => isLasting(path) && isSame(path));
};
