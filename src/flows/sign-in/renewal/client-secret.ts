import {type Credentials, keyOf, secretKeyOf} from '../../../domain/credentials.ts';
import type {TokenContext} from '../../../domain/tokens.ts';
import type {Ports} from '../../../ports/ports.ts';

/** With the secret of the client, which is kept once, with the sign-in itself. */
export const withSecret = async (
  kept: Credentials | undefined,
  context: TokenContext,
  {credentials}: Ports,
): Promise<Credentials | undefined> => {
  const {audience, signIn} = context;
  if (audience === undefined || signIn === 'browser') return kept;
  const {clientSecret} = (await credentials.get(secretKeyOf(context))) ?? {};
  return clientSecret === undefined ? kept : {...keyOf(context), ...kept, clientSecret};
};
