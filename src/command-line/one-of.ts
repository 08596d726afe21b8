import {SetupError} from '../errors/errors.ts';
import type {FlagName} from './flags.ts';

/**
 * Returns the value of a flag that takes one of a few words, without the spaces around it.
 *
 * @throws SetupError `input-invalid`, which names the words
 */
export const oneOf = <const Value extends string>(flag: FlagName, text: string, values: readonly Value[]): Value => {
  const value = values.find(one => one === text.trim());
  if (value !== undefined) return value;
  throw new SetupError('input-invalid', `--${flag} takes ${values.join(', ')}, not ${text}.`, {about: {flag}});
};

/** As `oneOf`, but returns undefined if the flag was not given. @throws SetupError `input-invalid` */
export const oneOfIfGiven = <const Value extends string>(
  flag: FlagName,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined => (text === undefined ? undefined : oneOf(flag, text, values));
