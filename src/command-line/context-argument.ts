import {type Config, currentContextIn} from '../domain/context.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';

/** Returns the name of a context from the first argument of a command. @throws SetupError `input-required` */
export const contextArgument = ([name]: readonly string[]): string => {
  if (name !== undefined) return name;
  throw new SetupError('input-required', 'The name of a context is missing.', {
    remedy: phrase`See ${setup('context list')}.`,
  });
};

/** Returns the flag that directs a command to this context; empty for the current one. */
export const contextFlag = (name: string, config: Config): string =>
  name === currentContextIn(config)?.name ? '' : ` --context ${name}`;
