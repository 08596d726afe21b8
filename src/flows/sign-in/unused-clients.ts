import type {Context} from '../../domain/context.ts';
import {isUsedBy} from '../../domain/tokens.ts';
import type {Ports} from '../../ports/ports.ts';

/**
 * Returns the IDs of the clients whose secrets are stored although no context uses them: this program created them, and
 * the person then signed in another way. Empty if the secrets cannot be read.
 */
export const unusedClients = async (
  contexts: readonly Context[],
  {credentials}: Pick<Ports, 'credentials'>,
): Promise<readonly string[]> => {
  const stored = await credentials.withClientSecret().catch(() => []);
  return [...new Set(stored.filter(one => !isUsedBy(one, contexts)).map(({clientId}) => clientId))];
};
