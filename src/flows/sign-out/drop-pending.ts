import {pendingIn, pendingKey} from '../../domain/credentials.ts';
import type {Ports} from '../../ports/ports.ts';

/**
 * Forgets a code that a person was asked to type and has not: whoever types it after a sign-out would be signed in again.
 *
 * @param issuer only one of this identity provider; any where it is left out
 * @returns whether there was one
 * @throws SetupError `local-write-failed`
 */
export const dropPending = async ({credentials}: Pick<Ports, 'credentials'>, issuer?: string): Promise<boolean> => {
  const pending = pendingIn(await credentials.get(pendingKey).catch(() => undefined));
  if (!pending || (issuer !== undefined && pending.issuer !== issuer)) return false;
  await credentials.replace(pendingKey, undefined);
  return true;
};
