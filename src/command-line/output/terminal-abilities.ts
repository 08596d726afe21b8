import type {Env} from '../../ports/ports.ts';
import type {FlagValues} from '../flags.ts';

/** Whether the terminal can be trusted to show more than ASCII: by its locale, and by its name where it is known not to. */
export const isUnicode = (env: Env): boolean => {
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  if (process.platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM);
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /utf-?8/i.test(locale);
};

/** Whether lines are wanted that stay as they are: by who uses a screen reader, and by a terminal that can do no more. */
export const isSpoken = ({accessible}: FlagValues, env: Env): boolean =>
  accessible === true || isSet(env.ACCESSIBLE) || isSet(env.INK_SCREEN_READER) || env.TERM === 'dumb';

/** Whether as little as possible should move on the screen. */
export const wantsStillness = (env: Env): boolean => isSet(env.REDUCED_MOTION);

const isSet = (value: string | undefined) => value !== undefined && !['', '0', 'false', 'no'].includes(value);
