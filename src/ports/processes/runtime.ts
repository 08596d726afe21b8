import {existsSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';

/** The runtime of this program. */
type Runtime = {
  /** Versions by name, as in `process.versions`. */
  readonly versions?: Readonly<Record<string, string | undefined>>;
};

/**
 * Returns the arguments between the runtime and those of the program: the runtime's own, then the launcher.
 *
 * Deno has to be given its permissions. Bun takes settings, variables, modules and even code to run first from the
 * working directory, which may be an untrusted repository; these arguments make it take them from this program's own
 * directory, which contains none.
 *
 * @param program path of the launcher
 */
export const wordsToStart = (program: string, {versions = process.versions}: Runtime = {}): readonly string[] => {
  if (versions.deno !== undefined) return ['run', '-A', program];
  if (versions.bun === undefined) return [program];
  const beside = (name: string) => join(dirname(program), name);
  return [
    '--no-env-file',
    '--no-install',
    `--config=${beside('bunfig.toml')}`,
    `--tsconfig-override=${beside('package.json')}`,
    program,
  ];
};

/** Returns the version of Node that this program relies on, and of the runtime that replaces it. */
export const nodeVersion = ({versions = process.versions}: Runtime = {}): string => {
  const {node = '', bun, deno} = versions;
  if (bun !== undefined) return `${node} (Bun ${bun})`;
  return deno === undefined ? node : `${node} (Deno ${deno})`;
};

/**
 * Returns the path of the runtime of this program, under the name with which it runs a program by its path. If Bun is
 * called `bunx`, it takes that path for the name of a package.
 *
 * @param exists whether there is a file of that path
 */
export const runtimePath = (
  path: string = process.execPath,
  exists: (path: string) => boolean = existsSync,
): string => {
  const bun = join(dirname(path), basename(path).replace(/^bunx(?=\.exe$|$)/, 'bun'));
  return bun !== path && exists(bun) ? bun : path;
};
