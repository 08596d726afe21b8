import {type Config, currentContextIn} from '../../domain/context.ts';

/** Returns the flag that directs a command to this context; empty for the current one. */
export const contextFlag = (name: string, config: Config): string =>
  name === currentContextIn(config)?.name ? '' : ` --context ${name}`;
