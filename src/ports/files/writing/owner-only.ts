import {userInfo} from 'node:os';
import {win32} from 'node:path';
import type {Env, Processes} from '../../ports.ts';

/** How long the tool may take, in milliseconds. */
const PATIENCE = 10_000;

/** Who else gets at a file, where that is kept in access lists and not in modes. */
export type OwnerOnly = {
  /** Takes away what a file has inherited, and leaves its owner alone in its list. Where that fails, all stays as it was. */
  restrict(path: string): Promise<void>;
  /** Whether the owner is alone in the list of a file. False where that cannot be found out. */
  isRestricted(path: string): Promise<boolean>;
};

/**
 * The access lists of Windows, by its own `icacls`. What lies in a directory of Windows inherits its list, by which at least
 * the administrators can read it, and where somebody has opened the directory everybody else.
 *
 * @param env which says where Windows is, and of which domain the person is
 */
export const createOwnerOnly = (
  env: Env,
  {run}: Pick<Processes, 'run'>,
  name: () => string = () => userInfo().username,
): OwnerOnly => {
  // The name alone would be looked for, in the working directory first.
  const tool = win32.join(env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows', 'System32', 'icacls.exe');
  const person = () => (env.USERDOMAIN ? `${env.USERDOMAIN}\\${name()}` : name());
  const ask = async (...args: readonly string[]): Promise<string> => {
    const result = await run(tool, args, {timeout: PATIENCE, signal: new AbortController().signal});
    return result.outcome === 'exited' && result.code === 0 ? result.stdout : '';
  };
  return {
    restrict: async path => {
      try {
        // A name that Windows does not know changes nothing: it is looked up before anything is done.
        await ask(path, '/inheritance:r', '/grant:r', `${person()}:F`, '/Q');
      } catch {
        // How it went is told by the list, when somebody asks.
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

/** The entries of a list: `ACME\ann:(F)`, each on a line, the first behind the path. The rest is in the person’s language. */
const entriesIn = (text: string, path: string): readonly (readonly [account: string, rights: string])[] =>
  text
    .split(/\r?\n/)
    .map((line, index) => (index === 0 && line.startsWith(path) ? line.slice(path.length) : line).trim())
    .flatMap(line => {
      const [, account, rights] = /^([^:]+):((?:\([^()]+\))+)$/.exec(line) ?? [];
      return account === undefined || rights === undefined ? [] : [[account, rights] as const];
    });

/** Of the person’s, and not inherited: `(I)` stands before what is. */
const isFor = ([account, rights]: readonly [string, string], name: string): boolean =>
  account.toLowerCase().split('\\').at(-1) === name.toLowerCase() && !rights.includes('(I)');
