import {type Config, currentContextIn} from '../../domain/context.ts';

/** What a command is given behind its words so that it is about this context: nothing for the current one. */
export const contextFlag = (name: string, config: Config): string =>
  name === currentContextIn(config)?.name ? '' : ` --context ${name}`;
