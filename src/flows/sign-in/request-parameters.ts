import {OFFLINE_ACCESS, scopesOfClient, type WantedToken} from '../../domain/token-request.ts';
import type {IdentityProvider} from '../../identity-providers/identity-provider.ts';

/** A token request in the parameters that the identity provider understands. */
export type AskedToken = {
  readonly scopes: readonly string[];
  readonly resource?: string;
  readonly audience?: string;
  /** True if this program added the scope for a refresh token by itself. */
  readonly isOfflineAdded?: true;
};

type Provider = {
  readonly provider: IdentityProvider;
  /** The scopes that the metadata lists (RFC 8414 2), if it does. */
  readonly scopesSupported?: readonly string[] | undefined;
};

/**
 * Translates what is wanted into the parameters of an identity provider, and names the target of the token in the
 * parameter that the provider uses. For a person, adds the scope that brings a refresh token, if the provider needs
 * one. For a client, leaves out the scopes about people, unless the person named the scopes.
 */
export const askedOf = (
  wanted: WantedToken,
  {provider, scopesSupported}: Provider,
  by: 'person' | 'client',
): AskedToken => {
  const {scopes, isWithoutOffline, isScopeSaid} = wanted;
  const {scope: offline} = provider.refreshToken;
  const isListed = scopesSupported === undefined || scopesSupported.includes(OFFLINE_ACCESS);
  const isAdded = offline !== undefined && isListed && !isWithoutOffline && !scopes.includes(offline);
  if (by === 'client') return {scopes: isScopeSaid ? scopes : scopesOfClient(scopes), ...targetOf(wanted, provider)};
  return {
    scopes: isAdded ? [...scopes, offline] : scopes,
    ...targetOf(wanted, provider),
    ...(isAdded ? {isOfflineAdded: true} : {}),
  };
};

const targetOf = (
  {resource: named, audience: typedAudience, isResourceSaid}: WantedToken,
  {target}: IdentityProvider,
): Pick<AskedToken, 'resource' | 'audience'> => {
  const resource = named === 'none' ? undefined : named;
  const isResourceSent =
    resource !== undefined && (isResourceSaid || (target === 'resource' && typedAudience === undefined));
  const audience = typedAudience ?? (target === 'audience' && !isResourceSaid ? resource : undefined);
  return {...(isResourceSent ? {resource} : {}), ...(audience === undefined ? {} : {audience})};
};

/** Returns the parameters of the request. */
export const parametersOf = ({scopes, resource, audience}: AskedToken): Record<string, string> => ({
  ...(scopes.length > 0 ? {scope: scopes.join(' ')} : {}),
  ...(resource === undefined ? {} : {resource}),
  ...(audience === undefined ? {} : {audience}),
});

/** Whether a refresh token comes only if the person gives their consent again (OpenID Connect Core 11). */
export const needsConsent = ({scopes}: AskedToken, {refreshToken}: IdentityProvider): boolean =>
  scopes.includes(OFFLINE_ACCESS) && refreshToken.consent === true;
