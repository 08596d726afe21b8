import {posix, win32} from 'node:path';
import type {Connection} from '../../assistants/connection.ts';
import type {Ports} from '../../ports/ports.ts';

/** What Bun and Deno are told before the program. */
const forRuntime = /^(run|-.*)$/;

/** A word of a command line, in quotes or without. */
const word = /'([^']*)'|"([^"]*)"|([^\s'"]+)/g;

/** Tells which file an entry starts that is not there any more. */
export type GoneProgram = (connection: Connection | undefined) => Promise<string | undefined>;

/**
 * Looks for the files that entries start: the Node that one names, and this program's launcher, of which either is gone
 * when a cache was cleaned, Node upgraded or a project removed. It tells undefined where both are there, where none is
 * named by an absolute path of this system, and of an entry that is not this program's. Most entries name the same two,
 * and each is looked for once.
 */
export const createGoneProgram = ({files}: Pick<Ports, 'files'>): GoneProgram => {
  const known = new Map<string, Promise<boolean>>();
  const exists = (path: string) => {
    const found = known.get(path) ?? files.exists(path);
    known.set(path, found);
    return found;
  };
  return async connection => {
    for (const path of pathsIn(connection)) if (!(await exists(path))) return path;
    return undefined;
  };
};

const pathsIn = (connection: Connection | undefined): readonly string[] => {
  const [command = '', ...words] = wordsIn(connection);
  const launcher = words.find(one => !forRuntime.test(one)) ?? '';
  const isAbsolute = process.platform === 'win32' ? win32.isAbsolute : posix.isAbsolute;
  // What somebody else has put there is another matter, and is told as such.
  return /[\\/]bin[\\/]setup\.js$/.test(launcher) ? [command, launcher].filter(isAbsolute) : [];
};

const wordsIn = (connection: Connection | undefined): readonly string[] => {
  if (connection?.kind === 'command') return [connection.command, ...connection.args];
  if (connection?.kind !== 'helper') return [];
  return Array.from(connection.helper.matchAll(word), found => found[1] ?? found[2] ?? found[3] ?? '');
};
