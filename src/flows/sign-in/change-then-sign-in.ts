import {operatorsChange, providerOf, recogniseProvider} from '../../identity-providers/catalogue.ts';
import {fill} from '../../identity-providers/identity-provider.ts';
import type {Ports} from '../../ports/ports.ts';
import {grantRefresh} from './sign-in-end.ts';

/**
 * What is to be changed so that a sign-in need not be repeated so often, and then to sign in again: by the kind of identity
 * provider, where it has a setting of its own for that.
 *
 * @param again the end of the sentence, after “sign in again”
 */
export const changeThenSignIn = async (
  {issuer, clientId, identityProvider}: {issuer: string; clientId: string; identityProvider?: string | undefined},
  {providers}: Pick<Ports, 'providers'>,
  again: string,
): Promise<string> => {
  const {metadata} = identityProvider === undefined ? await providers.get(issuer) : {};
  const provider =
    identityProvider === undefined ? recogniseProvider(issuer, metadata?.body) : providerOf(identityProvider);
  const {setting} = provider.refreshToken;
  if (provider.id === 'standard' || setting === undefined)
    return `${grantRefresh(clientId)}, then sign in again${again}`;
  return `${operatorsChange(provider, fill(setting, {clientId}))} Then sign in again${again}`;
};
