import type {Env} from '../../ports/ports.ts';
import type {FlagValues} from '../flags.ts';

/** Whether only ASCII may be drawn: by who says so, and by a terminal that may not show more. */
export const isPlain = ({plain}: FlagValues, env: Env): boolean =>
  plain === true || isSet(env.SETUP_PLAIN) || !isUnicode(env);

/**
 * Whether only ASCII is printed, into files and pipes as well: where that is asked for, and in the locale that has no more
 * (POSIX 7.2). Where nothing names a locale, nobody has said so.
 */
export const printsAscii = (flags: FlagValues, env: Env): boolean =>
  flags.plain === true || isSet(env.SETUP_PLAIN) || /^(?:C|POSIX)$/.test(localeOf(env));

/** Terminals that the colour library under Ink knows to have colours. */
const known = /^screen|^xterm|^vt100|^vt220|^rxvt|color|ansi|cygwin|linux/i;

/**
 * Whether there are colours, in the words of FORCE_COLOR, the only variable that the colour library reads. NO_COLOR
 * (no-color.org) counts unless it is empty, then FORCE_COLOR, then CLICOLOR_FORCE and CLICOLOR (bixense.com/clicolors).
 * A terminal that nobody knows has the sixteen colours, as every one since the VT241.
 *
 * @returns undefined where the library decides
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
 * Whether a terminal that becomes narrower wraps its lines anew, as most do. xterm, st, the Linux console and GNU screen
 * cut them off.
 */
export const isReflowing = (env: Env): boolean =>
  !(env.XTERM_VERSION || env.STY || /^(?:st|linux)(?:-|$)/.test(env.TERM ?? ''));

/** Whether a terminal may draw some signs over two columns, as those that are set up for East Asian languages do. */
export const isEastAsian = (env: Env): boolean => /^(?:ja|ko|zh)(?:_|\.|$)/.test(localeOf(env));

/** Terminals of today, which take a question that they do not know for nothing. */
const answering = /^(?:xterm|tmux|screen|rxvt-unicode|alacritty|foot|contour|wezterm|st)(?:-|$)/;

/**
 * What the environment says of the background, as rxvt and others do in COLORFGBG (`foreground;background`, by their
 * numbers among the sixteen colours); `ask` where it says nothing and the terminal can be asked.
 */
export const backgroundIn = ({COLORFGBG, TERM = ''}: Env): 'dark' | 'light' | 'ask' | 'unknown' => {
  const number = /;(\d+)$/.exec(COLORFGBG ?? '')?.[1];
  if (number !== undefined) return number === '0' ? 'dark' : 'light';
  return answering.test(TERM) ? 'ask' : 'unknown';
};

const localeOf = (env: Env) => env.LC_ALL || env.LC_CTYPE || env.LANG || '';

/** Whether the terminal can be trusted to show more than ASCII: by its locale, and by its name where it is known not to. */
export const isUnicode = (env: Env): boolean => {
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  if (process.platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM);
  return /utf-?8/i.test(localeOf(env));
};

/** Whether lines are wanted that stay as they are: by who uses a screen reader, and by a terminal that can do no more. */
export const isSpoken = ({accessible}: FlagValues, env: Env): boolean =>
  accessible === true || isSet(env.ACCESSIBLE) || isSet(env.INK_SCREEN_READER) || env.TERM === 'dumb';

/** Whether as little as possible should move on the screen. */
export const wantsStillness = (env: Env): boolean => isSet(env.REDUCED_MOTION);

const isSet = (value: string | undefined) => value !== undefined && !['', '0', 'false', 'no'].includes(value);
