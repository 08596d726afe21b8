import type {Advice, SuggestedCommand} from '../../errors/remedy.ts';
import {operatorsChange, providerOf, recogniseProvider} from '../../identity-providers/catalogue.ts';
import {fill} from '../../identity-providers/identity-provider.ts';
import type {Ports} from '../../ports/ports.ts';
import {grantRefresh} from './sign-in-end.ts';

/**
 * Returns the advice to change a setting, so that a person has to sign in less often, and then to sign in again. Names
 * the setting if this kind of identity provider has a known one.
 *
 * @param again the command that signs in again
 */
export const changeThenSignIn = async (
  {issuer, clientId, identityProvider}: {issuer: string; clientId: string; identityProvider?: string | undefined},
  {providers}: Pick<Ports, 'providers'>,
  again: SuggestedCommand,
): Promise<Advice> => {
  const {metadata} = identityProvider === undefined ? await providers.get(issuer) : {};
  const provider =
    identityProvider === undefined ? recogniseProvider(issuer, metadata?.body) : providerOf(identityProvider);
  const {setting} = provider.refreshToken;
  if (provider.id === 'standard' || setting === undefined)
    return {do: `${grantRefresh(clientId)}, then sign in again`, command: again};
  return {do: `${operatorsChange(provider, fill(setting, {clientId}))} Then sign in again`, command: again};
};
