import {fstatSync, writeSync} from 'node:fs';
import {isatty} from 'node:tty';
import type {Env} from '../../ports/ports.ts';
import {escapeUnsafe, printable} from '../../text.ts';
import type {FlagValues} from '../flags.ts';
import {fitSentences, withoutStops} from './fit-text.ts';

/**
 * Signs beyond ASCII in texts, with their replacements. Each is one column wide, as the layout is already done. A full
 * stop in place of an ellipsis would hide that a text is cut.
 */
const plain: Readonly<Record<string, string>> = {
  ...{'’': "'", '‘': "'", '“': '"', '”': '"', '…': '~', '×': 'x', '→': '>', '←': '<'},
  ...{'–': '-', '—': '-', '·': '.', '•': '*', '✔': '+', '✖': 'x', '▲': '!', '›': '>', '▏': '|', '┊': '|'},
};

const signs = new RegExp(`[${Object.keys(plain).join('')}]`, 'gu');

/**
 * Returns a stream for terminals that can show only ASCII: it replaces typographic signs in what is written. The
 * wizard's glyphs, which have a plain form of their own, do not need it.
 */
export const asciiOutput = (stream: NodeJS.WriteStream): NodeJS.WriteStream =>
  new Proxy(stream, {
    get: (target, key) => {
      if (key === 'write') {
        return (chunk: unknown, ...rest: unknown[]) =>
          Reflect.apply(target.write, target, [typeof chunk === 'string' ? toAscii(chunk) : chunk, ...rest]);
      }
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** As `toAscii`, for lines of text: an ellipsis may become longer, and the columns after it stay in place. */
export const toAsciiLines = (text: string): string =>
  toAscii(text.replaceAll(/…( {4,})/g, (_, gap: string) => `...${gap.slice(2)}`).replaceAll('…', '...'));

/** Returns the text with typographic signs replaced by plain ones of the same width. */
export const toAscii = (text: string): string => text.replaceAll(signs, sign => plain[sign] ?? '?');

/**
 * A stream that people and scripts read. Every command writes through one of these, so that text from outside (from a
 * server, a file or a path) cannot control the terminal. Screens, which need sequences of their own, clean each text
 * instead (`screens/parts/safe-text.tsx`).
 */
export type CommandOutput = {
  /** Writes text for people, without control characters (except line feeds and tabs) and bidirectional controls. */
  readonly write: (text: string) => void;
  /** Writes sentences: breaks lines that are too long for the terminal between words, but never in a command. */
  readonly tell: (text: string) => void;
  /** Writes a value for scripts: one line of JSON, in which such characters are escaped instead of left out. */
  readonly writeJson: (value: unknown) => void;
};

/**
 * Creates an output that writes to a stream.
 *
 * @param isAscii whether typographic signs are replaced by plain ones, and JSON escapes what is not ASCII
 * @param columns returns the terminal's current width; undefined if there is no terminal
 */
export const createOutput = (
  stream: {readonly write: (text: string) => unknown},
  isAscii = false,
  columns: () => number | undefined = () => undefined,
): CommandOutput => {
  const write = (text: string) => void stream.write(isAscii ? toAsciiLines(printable(text)) : printable(text));
  return {
    write,
    tell: text => write(fitSentences(withoutStops(text), columns())),
    writeJson: value => {
      const line = escapeUnsafe(JSON.stringify(value));
      stream.write(`${isAscii ? escapeBeyondAscii(line) : line}\n`);
    },
  };
};

const escapeBeyondAscii = (json: string): string =>
  json.replaceAll(/[^\0-\x7F]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A stream of this process, as far as it is written to. */
type Stream = {
  readonly write: (text: string) => unknown;
  readonly on: (event: 'error', listener: (error: Error) => void) => unknown;
};

/**
 * Wraps a standard stream so that every write is whole or reported as failed. Node treats a short write to a file on a
 * full disk as a whole one, and throws a device's error at the caller. After a failure nothing more is written, because
 * half of a text is worse than none.
 *
 * @param fd of the stream
 * @param failed is called with the first failure only
 */
export const fullyWritten = (stream: Stream, fd: number, failed: (error: Error) => void): Pick<Stream, 'write'> => {
  let works = true;
  const fail = (error: Error) => {
    if (!works) return;
    works = false;
    failed(error);
  };
  stream.on('error', fail);
  const write = isWrittenAtOnce(fd) ? (text: string) => writeAll(fd, Buffer.from(text)) : stream.write.bind(stream);
  return {
    write: text => {
      if (!works) return;
      try {
        write(text);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
};

/** Whether the stream is a file, or a device such as /dev/full. Pipes are left to Node, which waits for the reader. */
const isWrittenAtOnce = (fd: number): boolean => {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || (stats.isCharacterDevice() && !isatty(fd));
  } catch {
    return false;
  }
};

const writeAll = (fd: number, bytes: Buffer): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
};

/** Whether only ASCII may be drawn: the person says so, or the terminal may not show more. */
export const isPlain = ({plain}: FlagValues, env: Env): boolean =>
  plain === true || isSet(env.SETUP_PLAIN) || !isUnicode(env);

/**
 * Whether only ASCII is printed, into files and pipes too: it was asked for, or the locale has no more (POSIX 7.2). If
 * no locale is named, the answer is no.
 */
export const printsAscii = (flags: FlagValues, env: Env): boolean =>
  flags.plain === true || isSet(env.SETUP_PLAIN) || /^(?:C|POSIX)$/.test(localeOf(env));

/** Terminals that the colour library under Ink knows to have colours. */
const known = /^screen|^xterm|^vt100|^vt220|^rxvt|color|ansi|cygwin|linux/i;

/**
 * Returns whether there are colours, as a value of FORCE_COLOR, the only one of these variables that the colour library
 * reads. NO_COLOR (no-color.org) decides unless it is empty, then FORCE_COLOR, then CLICOLOR_FORCE and CLICOLOR
 * (bixense.com/clicolors). An unknown terminal is assumed to have the sixteen colours, as nearly every emulator has.
 *
 * @returns undefined if the library decides
 */
export const forcedColor = (flags: FlagValues, env: Env): '0' | '1' | undefined => {
  if (flags['no-color'] || env.NO_COLOR) return '0';
  if (env.FORCE_COLOR !== undefined) return undefined;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return '1';
  if (env.CLICOLOR === '0') return '0';
  const {TERM: term = ''} = env;
  return term === '' || term === 'dumb' || known.test(term) ? undefined : '1';
};

/**
 * Whether the terminal rewraps its lines when it becomes narrower, as most do. xterm, st, the Linux console and GNU
 * screen cut them off.
 */
export const isReflowing = (env: Env): boolean =>
  !(env.XTERM_VERSION || env.STY || /^(?:st|linux)(?:-|$)/.test(env.TERM ?? ''));

/** Whether the terminal may draw some signs over two columns, as those set up for East Asian languages do. */
export const isEastAsian = (env: Env): boolean => /^(?:ja|ko|zh)(?:_|\.|$)/.test(localeOf(env));

/** Modern terminals, which ignore a query that they do not know. */
const answering = /^(?:xterm|tmux|screen|rxvt-unicode|alacritty|foot|contour|wezterm|st)(?:-|$)/;

/**
 * Returns the background according to COLORFGBG (`foreground;background`, as numbers of the sixteen colours), which
 * rxvt and others set. `ask` if it is not set and the terminal can be asked.
 */
export const backgroundIn = ({COLORFGBG, TERM = ''}: Env): 'dark' | 'light' | 'ask' | 'unknown' => {
  const number = /;(\d+)$/.exec(COLORFGBG ?? '')?.[1];
  if (number !== undefined) return number === '0' ? 'dark' : 'light';
  return answering.test(TERM) ? 'ask' : 'unknown';
};

const localeOf = (env: Env) => env.LC_ALL || env.LC_CTYPE || env.LANG || '';

/** Whether the terminal shows more than ASCII reliably, by its locale and by its name. */
export const isUnicode = (env: Env): boolean => {
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  if (process.platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM);
  return /utf-?8/i.test(localeOf(env));
};

/** Whether output has to stay as written: the person uses a screen reader, or the terminal cannot redraw. */
export const isSpoken = ({accessible}: FlagValues, env: Env): boolean =>
  accessible === true || isSet(env.ACCESSIBLE) || isSet(env.INK_SCREEN_READER) || env.TERM === 'dumb';

/** Whether as little as possible should move on the screen. */
export const wantsStillness = (env: Env): boolean => isSet(env.REDUCED_MOTION);

const isSet = (value: string | undefined) => value !== undefined && !['', '0', 'false', 'no'].includes(value);

/** The fields of events that are times. Inside the program they are milliseconds since the epoch. */
const times: ReadonlySet<string> = new Set(['until', 'expiresAt', 'signInEndsAt']);

/**
 * Returns the value with its times as all programs get them: texts in ISO 8601, in UTC. Durations stay numbers.
 *
 * @param value one of this program's own; values from a server must not be changed
 */
export const withIsoTimes = <Value extends object>(value: Value): {readonly [K in keyof Value]: unknown} =>
  Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      times.has(key) && typeof one === 'number' ? new Date(one).toISOString() : one,
    ]),
  ) as {readonly [K in keyof Value]: unknown};
