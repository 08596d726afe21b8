import type {System} from '../place.ts';

/**
 * One command line out of a program and its arguments, for a shell: `sh` as POSIX has it, `cmd.exe` on Windows.
 *
 * On Windows quotes inside an argument are escaped as the C runtime reads them; a percent sign cannot be.
 */
export const commandLine = (command: readonly string[], system: System): string =>
  command.map(system === 'win32' ? quoteForWindows : quoteForPosix).join(' ');

const quoteForPosix = (argument: string) =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;

const quoteForWindows = (argument: string) =>
  /^[\w@+=:./\\-]+$/.test(argument)
    ? argument
    : `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
