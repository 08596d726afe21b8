type Env = Readonly<Record<string, string | undefined>>;

/** How a person's shell reads a line: as POSIX has it, or in a way of its own. */
export type Shell = 'posix' | 'fish' | 'powershell' | 'cmd';

/**
 * The shell that lines are shown for, as far as the environment tells; no process is asked. On Windows a POSIX shell (Git
 * Bash, MSYS2, Cygwin) names itself, and PowerShell puts the person's own modules before those of the system, which are there
 * in every shell. Whatever PowerShell has started looks the same; `cmd` in it is taken for PowerShell.
 */
export const shellOf = (env: Env, platform: NodeJS.Platform): Shell => {
  if (platform !== 'win32') return /(?:^|\/)fish$/.test(env.SHELL ?? '') ? 'fish' : 'posix';
  if (env.MSYSTEM || env.SHELL) return 'posix';
  const modules = Object.entries(env).find(([name]) => name.toLowerCase() === 'psmodulepath')?.[1] ?? '';
  return modules.split(';').some(isOwnModules) ? 'powershell' : 'cmd';
};

/** `Documents\PowerShell\Modules` in the person's profile, or `WindowsPowerShell` of older ones; it may be redirected. */
const isOwnModules = (path: string): boolean =>
  /\\(?:Windows)?PowerShell\\Modules\\?$/i.test(path) && !/\\Program Files(?: \(x86\))?\\/i.test(path);

/** A part of a word: text as it is, or the name of a variable that stands for a secret. */
export type Piece = string | {readonly variable: string};

/** One word of a line. */
export const shellWord = (pieces: readonly Piece[], shell: Shell): string => words[shell](pieces);

/** A program and its words as a line. */
export const shellLine = (program: string, args: readonly (readonly Piece[])[], shell: Shell): string => {
  const line = [nameIn(shell, program), ...args.map(pieces => shellWord(pieces, shell))].join(' ');
  const hasQuotes = args.some(pieces => pieces.some(piece => typeof piece === 'string' && piece.includes('"')));
  // PowerShell hands quotes on as they are until 7.3, and escapes them from there on, unless it is told not to.
  return shell === 'powershell' && hasQuotes ? `$PSNativeCommandArgumentPassing='Legacy'; ${line}` : line;
};

/** `curl` alone is another command in PowerShell, where the extension tells the program from it. */
const nameIn = (shell: Shell, program: string): string => (shell === 'powershell' ? `${program}.exe` : program);

/** The line that sets a variable for what is started from that shell. */
export const setVariable = (name: string, value: string, shell: Shell): string =>
  ({
    posix: () => `export ${name}=${inQuotes(value)}`,
    fish: () => `set -gx ${name} ${inFish(value)}`,
    powershell: () => `$env:${name} = '${value.replaceAll(/['‘’‚‛]/g, '$&$&')}'`,
    cmd: () => `set "${name}=${value}"`,
  })[shell]();

/** A line of the documentation, which has them for POSIX shells, as another shell takes it. */
export const lineFor = (line: string, shell: Shell): string => {
  if (shell === 'posix' || shell === 'fish') return line;
  const [, set = '', rest = ''] = /^((?:[A-Z_]+=\S+ )*)(.*)$/.exec(line) ?? [];
  const variables = [...set.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) =>
    setVariable(name, value, shell),
  );
  if (shell === 'powershell') return [...variables, rest.replace(/^curl /, 'curl.exe ')].join('; ');
  const [inner, command] = /"\$\((.+?)\)"/.exec(rest) ?? [];
  // What a command prints is had by a loop only.
  const whole = inner ? `for /f "delims=" %i in ('${command}') do ${rest.replace(inner, '"%i"')}` : rest;
  return [...variables, whole].join(' && ');
};

/** What needs no quotes in any shell. */
const isPlain = (text: string): boolean => /^[\w@%+=:,./-]+$/.test(text);

const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const inFish = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

/** Variables stand in double quotes, and with them what has nothing to be quoted but spaces. */
const unixWord = (quoted: (text: string) => string) => (pieces: readonly Piece[]) => {
  const isEasy = pieces.every(piece => typeof piece !== 'string' || /^[\w@%+=:,./ -]*$/.test(piece));
  const hasSpaces = pieces.some(piece => typeof piece === 'string' && piece.includes(' '));
  if (isEasy && hasSpaces && pieces.some(piece => typeof piece !== 'string'))
    return `"${pieces.map(piece => (typeof piece === 'string' ? piece : `$${piece.variable}`)).join('')}"`;
  return pieces
    .map(piece => (typeof piece !== 'string' ? `"$${piece.variable}"` : isPlain(piece) ? piece : quoted(piece)))
    .join('');
};

/** Quotes inside are escaped twice: for the program, which reads its words by itself, and for the shell. */
const powershellWord = (pieces: readonly Piece[]): string => {
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'string' && isPlain(only) && !/^[@-]*$|,/.test(only)) return only;
  const inside = pieces.map(piece =>
    typeof piece === 'string'
      ? escapeForProgram(piece, String.raw`\"`).replaceAll(/[`$"“”„]/g, '`$&')
      : `$env:${piece.variable}`,
  );
  return `"${inside.join('')}"`;
};

/** Doubled quotes leave `cmd` where it was, in quotes, so that nothing in between is a sign of its own. */
const cmdWord = (pieces: readonly Piece[]): string => {
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'string' && isPlain(only)) return only;
  const inside = pieces.map(piece =>
    typeof piece === 'string' ? escapeForProgram(piece, '""') : `%${piece.variable}%`,
  );
  return `"${inside.join('')}"`;
};

/** As programs of Windows take their words apart: backslashes count before a quote alone. */
const escapeForProgram = (text: string, quote: string): string =>
  text.replaceAll(/(\\*)"/g, (_, slashes: string) => `${slashes}${slashes}${quote}`).replace(/(\\+)$/, '$1$1');

const words: Readonly<Record<Shell, (pieces: readonly Piece[]) => string>> = {
  posix: unixWord(inQuotes),
  fish: unixWord(inFish),
  powershell: powershellWord,
  cmd: cmdWord,
};
