import type {System} from '../place.ts';

/**
 * One command line out of a program and its arguments, for a shell: `sh` as POSIX has it, `cmd.exe` on Windows.
 *
 * On Windows quotes inside an argument are escaped as the C runtime reads them; a percent sign cannot be.
 */
export const commandLine = (command: readonly string[], system: System): string =>
  command.map(system === 'win32' ? quoteForWindows : quoteForPosix).join(' ');

/** Flags with their values as they are typed behind a command on this machine, with a space before them; nothing for none. */
export const flagsAsTyped = (flags: Readonly<Record<string, string>>): string => {
  const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  return words.length === 0 ? '' : ` ${commandLine(words, process.platform === 'win32' ? 'win32' : 'linux')}`;
};

const quoteForPosix = (argument: string) =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;

const quoteForWindows = (argument: string) =>
  /^[\w@+=:./\\-]+$/.test(argument)
    ? argument
    : `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
