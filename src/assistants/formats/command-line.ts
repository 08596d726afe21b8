import {posixWord} from '../../shell-quoting.ts';
import type {System} from '../place.ts';

/**
 * Returns a program and its arguments as one command line for a shell: a POSIX `sh`, or `cmd.exe` on Windows.
 *
 * On Windows, quotes inside an argument are escaped for the C runtime; a percent sign cannot be escaped.
 */
export const commandLine = (command: readonly string[], system: System): string =>
  command.map(system === 'win32' ? quoteForWindows : posixWord).join(' ');

/** Returns flags with their values as they are typed after a command on this machine; empty without flags. */
export const flagsAsTyped = (flags: Readonly<Record<string, string>>): string => {
  const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  return commandLine(words, process.platform === 'win32' ? 'win32' : 'linux');
};

const quoteForWindows = (argument: string) =>
  /^[\w@+=:./\\-]+$/.test(argument)
    ? argument
    : `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
