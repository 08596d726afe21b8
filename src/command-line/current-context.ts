import {type Context, findContext} from '../domain/context.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import type {Ports} from '../ports/ports.ts';
import {noContext} from '../store/config-store.ts';
import type {Invocation} from './command.ts';
import type {FlagValues} from './flags.ts';
import {portsTo} from './network-flags.ts';

/**
 * Returns the context that a command is about, with the ports that reach it: the named one, else the current one.
 *
 * @throws SetupError
 */
export const currentContext = async (
  ports: Ports,
  invocation: Pick<Invocation, 'flags' | 'env'>,
): Promise<{readonly context: Context; readonly ports: Ports}> => {
  const context = await contextNamed(ports, invocation.flags);
  return {context, ports: await portsTo(context, invocation, ports)};
};

const contextNamed = async ({config}: Ports, flags: FlagValues): Promise<Context> => {
  const saved = await config.read();
  const context = findContext(saved, flags.context);
  if (context) return context;
  if (flags.context === undefined) {
    throw new SetupError('auth-sign-in-required', 'Nothing is set up yet.', {remedy: phrase`Run ${setup()}.`});
  }
  throw noContext(flags.context, saved.contexts, {flag: 'context'});
};
