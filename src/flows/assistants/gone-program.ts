import {posix, win32} from 'node:path';
import type {Connection} from '../../assistants/connection.ts';
import type {Ports} from '../../ports/ports.ts';

/** A word of a command line, in quotes or without. */
const word = /^\s*(?:'([^']*)'|"([^"]*)"|([^\s'"]+))/;

/**
 * The file that an entry starts and that is not there any more: the Node that it names, or this program's launcher, when
 * a cache was cleaned, Node upgraded or a project removed. Undefined where both are there, where none is named by an
 * absolute path of this system, or where it is no entry of this program's.
 */
export const goneProgram = async (
  connection: Connection | undefined,
  {files}: Pick<Ports, 'files'>,
): Promise<string | undefined> => {
  for (const path of pathsIn(connection)) if (!(await files.exists(path))) return path;
  return undefined;
};

const pathsIn = (connection: Connection | undefined): readonly string[] => {
  const [command = '', launcher = ''] = wordsIn(connection);
  const isAbsolute = process.platform === 'win32' ? win32.isAbsolute : posix.isAbsolute;
  // What somebody else has put there is another matter, and is told as such.
  return /[\\/]bin[\\/]setup\.js$/.test(launcher) ? [command, launcher].filter(isAbsolute) : [];
};

const wordsIn = (connection: Connection | undefined): readonly string[] => {
  if (connection?.kind === 'command') return [connection.command, ...connection.args];
  if (connection?.kind !== 'helper') return [];
  const first = word.exec(connection.helper);
  const second = word.exec(connection.helper.slice(first?.[0].length ?? 0));
  return [first, second].map(found => found?.[1] ?? found?.[2] ?? found?.[3] ?? '');
};
