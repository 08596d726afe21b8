import type {Env} from '../../ports/ports.ts';
import type {FlagValues} from '../flags.ts';

/** Whether only ASCII may be drawn: the person says so, or the terminal may not show more. */
export const isPlain = ({plain}: FlagValues, env: Env): boolean =>
  plain === true || isSet(env.SETUP_PLAIN) || !isUnicode(env);

/**
 * Whether only ASCII is printed, into files and pipes too: it was asked for, or the locale has no more (POSIX 7.2).
 * Without a named locale it is not assumed.
 */
export const printsAscii = (flags: FlagValues, env: Env): boolean =>
  flags.plain === true || isSet(env.SETUP_PLAIN) || /^(?:C|POSIX)$/.test(localeOf(env));

/** Terminals that the colour library under Ink knows to have colours. */
const known = /^screen|^xterm|^vt100|^vt220|^rxvt|color|ansi|cygwin|linux/i;

/**
 * Returns whether there are colours, as a value of FORCE_COLOR, the only variable that the colour library reads.
 * NO_COLOR (no-color.org) decides unless it is empty, then FORCE_COLOR, then CLICOLOR_FORCE and CLICOLOR
 * (bixense.com/clicolors). An unknown terminal is assumed to have the sixteen colours, as every one has since the
 * VT241.
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

/** Whether a narrower terminal rewraps its lines, as most do. xterm, st, the Linux console and GNU screen cut them. */
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
