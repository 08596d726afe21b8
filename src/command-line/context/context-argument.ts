import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';

/** Returns the name of a context from the first word of a command. @throws SetupError `input-required` */
export const contextArgument = ([name]: readonly string[]): string => {
  if (name !== undefined) return name;
  throw new SetupError('input-required', 'The name of a context is missing.', {
    remedy: phrase`See ${setup('context list')}.`,
  });
};
