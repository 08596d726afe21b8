import {isPlainWord, posixQuoted} from '../../shell-quoting.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The syntax of a person's shell: POSIX, or its own. */
export type Shell = 'posix' | 'fish' | 'powershell' | 'cmd';

/**
 * Returns the shell for which lines are shown, by the environment alone; no process is asked. On Windows a POSIX shell
 * (Git Bash, MSYS2, Cygwin) names itself, and PowerShell adds the person's own modules to PSModulePath, which has those
 * of the system in every shell. Programs that PowerShell has started inherit that: `cmd` inside it is taken for
 * PowerShell.
 */
export const shellOf = (env: Env, platform: NodeJS.Platform): Shell => {
  if (platform !== 'win32') return /(?:^|\/)fish$/.test(env.SHELL ?? '') ? 'fish' : 'posix';
  if (env.MSYSTEM || env.SHELL) return 'posix';
  const modules = Object.entries(env).find(([name]) => name.toLowerCase() === 'psmodulepath')?.[1] ?? '';
  return modules.split(';').some(isOwnModules) ? 'powershell' : 'cmd';
};

/**
 * Whether a path is the person's own directory of modules: `PowerShell\Modules`, or `WindowsPowerShell\Modules` of older
 * versions, outside of Program Files. The directory above is not compared, because Documents may be redirected.
 */
const isOwnModules = (path: string): boolean =>
  /\\(?:Windows)?PowerShell\\Modules\\?$/i.test(path) && !/\\Program Files(?: \(x86\))?\\/i.test(path);

/** A part of a word: literal text, or the name of a variable that replaces a secret. */
export type LinePiece = string | {readonly variable: string};

/** Returns one word of a line. */
export const shellWord = (pieces: readonly LinePiece[], shell: Shell): string => words[shell](pieces);

/** Returns a program and its arguments as a line. */
export const shellLine = (program: string, args: readonly (readonly LinePiece[])[], shell: Shell): string => {
  const line = [nameIn(shell, program), ...args.map(pieces => shellWord(pieces, shell))].join(' ');
  const hasQuotes = args.some(pieces => pieces.some(piece => typeof piece === 'string' && piece.includes('"')));
  // Up to 7.2 PowerShell passes quotes on unchanged. From 7.3 on it escapes them, unless this variable is set.
  return shell === 'powershell' && hasQuotes ? `$PSNativeCommandArgumentPassing='Legacy'; ${line}` : line;
};

/** Returns the name of a program. In PowerShell `curl` alone is another command, so the extension is added. */
const nameIn = (shell: Shell, program: string): string => (shell === 'powershell' ? `${program}.exe` : program);

/** Returns the line that sets a variable for programs started from that shell. */
export const setVariable = (name: string, value: string, shell: Shell): string =>
  ({
    posix: () => `export ${name}=${posixQuoted(value)}`,
    fish: () => `set -gx ${name} ${inFish(value)}`,
    powershell: () => `$env:${name} = '${value.replaceAll(/['‘’‚‛]/g, '$&$&')}'`,
    cmd: () => `set "${name}=${value}"`,
  })[shell]();

/** Converts a line of the documentation, which is written for POSIX shells, to another shell. */
export const lineFor = (line: string, shell: Shell): string => {
  if (shell === 'posix' || shell === 'fish') return line;
  const [, set = '', rest = ''] = /^((?:[A-Z_]+=\S+ )*)(.*)$/.exec(line) ?? [];
  const variables = [...set.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) =>
    setVariable(name, value, shell),
  );
  if (shell === 'powershell') return [...variables, rest.replace(/^curl /, 'curl.exe ')].join('; ');
  const [inner, command] = /"\$\((.+?)\)"/.exec(rest) ?? [];
  // In `cmd` only a loop gives access to the output of a command.
  const whole = inner ? `for /f "delims=" %i in ('${command}') do ${rest.replace(inner, '"%i"')}` : rest;
  return [...variables, whole].join(' && ');
};

const inFish = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

/**
 * Quotes a word for POSIX shells and fish. A variable goes into double quotes, together with text that needs quotes
 * only for its spaces.
 */
const unixWord = (quoted: (text: string) => string) => (pieces: readonly LinePiece[]) => {
  const isEasy = pieces.every(piece => typeof piece !== 'string' || /^[\w@%+=:,./ -]*$/.test(piece));
  const hasSpaces = pieces.some(piece => typeof piece === 'string' && piece.includes(' '));
  if (isEasy && hasSpaces && pieces.some(piece => typeof piece !== 'string'))
    return `"${pieces.map(piece => (typeof piece === 'string' ? piece : `$${piece.variable}`)).join('')}"`;
  return pieces
    .map(piece => (typeof piece !== 'string' ? `"$${piece.variable}"` : isPlainWord(piece) ? piece : quoted(piece)))
    .join('');
};

/**
 * Quotes a word for PowerShell. Inner quotes are escaped twice: for the program, which splits its command line itself,
 * and for the shell.
 */
const powershellWord = (pieces: readonly LinePiece[]): string => {
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'string' && isPlainWord(only) && !/^[@-]*$|,/.test(only)) return only;
  const inside = pieces.map(piece =>
    typeof piece === 'string'
      ? escapeForProgram(piece, String.raw`\"`).replaceAll(/[`$"“”„]/g, '`$&')
      : `$env:${piece.variable}`,
  );
  return `"${inside.join('')}"`;
};

/**
 * Quotes a word for `cmd`. Doubled quotes leave `cmd` in quoted mode, so that nothing in between has a special meaning.
 */
const cmdWord = (pieces: readonly LinePiece[]): string => {
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'string' && isPlainWord(only)) return only;
  const inside = pieces.map(piece =>
    typeof piece === 'string' ? escapeForProgram(piece, '""') : `%${piece.variable}%`,
  );
  return `"${inside.join('')}"`;
};

/** Escapes quotes as Windows programs parse their command line: backslashes are special only before a quote. */
const escapeForProgram = (text: string, quote: string): string =>
  text.replaceAll(/(\\*)"/g, (_, slashes: string) => `${slashes}${slashes}${quote}`).replace(/(\\+)$/, '$1$1');

const words: Readonly<Record<Shell, (pieces: readonly LinePiece[]) => string>> = {
  posix: unixWord(posixQuoted),
  fish: unixWord(inFish),
  powershell: powershellWord,
  cmd: cmdWord,
};
