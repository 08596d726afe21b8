import {userInfo} from 'node:os';
import {win32} from 'node:path';
import type {Env, Processes} from '../ports.ts';

/** How long the tool may take, in milliseconds. */
const TIMEOUT = 10_000;

/** Restricts access to a file, on systems that use access lists instead of modes. */
export type OwnerOnly = {
  /**
   * Removes inherited entries from a file's list, and gives the person access. If that fails, the list stays unchanged.
   */
  restrict(path: string): Promise<void>;
  /** Whether a file's list names the person alone. False if that cannot be determined. */
  isRestricted(path: string): Promise<boolean>;
};

/**
 * Uses the access lists of Windows, through its own `icacls`. A file inherits the list of its directory: at least the
 * administrators can read it then, and all other users if the directory has been opened to them.
 *
 * @param env contains the place of Windows, and the person's domain
 */
export const createOwnerOnly = (
  env: Env,
  {run}: Pick<Processes, 'run'>,
  name: () => string = () => userInfo().username,
): OwnerOnly => {
  // A name without a path would be searched for, first in the working directory.
  const tool = win32.join(env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows', 'System32', 'icacls.exe');
  const person = () => (env.USERDOMAIN ? `${env.USERDOMAIN}\\${name()}` : name());
  const ask = async (...args: readonly string[]): Promise<string> => {
    const result = await run(tool, args, {timeout: TIMEOUT, signal: new AbortController().signal});
    return result.outcome === 'exited' && result.code === 0 ? result.stdout : '';
  };
  return {
    restrict: async path => {
      try {
        // A name that Windows does not know changes nothing: it is looked up before anything is done.
        await ask(path, '/inheritance:r', '/grant:r', `${person()}:F`, '/Q');
      } catch {
        // `isRestricted` reads the result from the list.
      }
    },
    isRestricted: async path => {
      try {
        const [first, ...others] = entriesIn(await ask(path), path);
        return others.length === 0 && first !== undefined && isFor(first, name());
      } catch {
        return false;
      }
    },
  };
};

/**
 * Returns the entries of a list, such as `ACME\ann:(F)`: one per line, the first after the path. The rest is in the
 * person's language.
 */
const entriesIn = (text: string, path: string): readonly (readonly [account: string, rights: string])[] =>
  text
    .split(/\r?\n/)
    .map((line, index) => (index === 0 && line.startsWith(path) ? line.slice(path.length) : line).trim())
    .flatMap(line => {
      const [, account, rights] = /^([^:]+):((?:\([^()]+\))+)$/.exec(line) ?? [];
      return account === undefined || rights === undefined ? [] : [[account, rights] as const];
    });

/** Whether an entry is the person's, and not inherited: inherited ones begin with `(I)`. */
const isFor = ([account, rights]: readonly [string, string], name: string): boolean =>
  account.toLowerCase().split('\\').at(-1) === name.toLowerCase() && !rights.includes('(I)');
