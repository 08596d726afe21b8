import {existsSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';

/** What runs this program. */
type Runtime = {
  /** Versions by their names, as `process.versions` has them. */
  readonly versions?: Readonly<Record<string, string | undefined>>;
};

/**
 * The words between the runtime and what follows the program: those that the runtime wants, then the launcher.
 *
 * Deno has to be given its permissions. Bun takes settings, variables, modules and even code to run first from the working
 * directory, which may be somebody else's repository; it is told to take them from this program's own directory, where
 * there are none.
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

/** The Node that this program counts on, and what stands in for it. */
export const nodeVersion = ({versions = process.versions}: Runtime = {}): string => {
  const {node = '', bun, deno} = versions;
  if (bun !== undefined) return `${node} (Bun ${bun})`;
  return deno === undefined ? node : `${node} (Deno ${deno})`;
};

/**
 * The program that runs this one, by the name under which it runs others too: Bun that was started as `bunx` takes what it
 * is given for the name of a package.
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
