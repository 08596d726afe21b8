import {OFFLINE_ACCESS, scopesOfClient, type WantedToken} from '../../domain/token-request.ts';
import type {IdentityProvider} from '../../identity-providers/identity-provider.ts';

/** What is asked of an identity provider, in the parameters that it has for it. */
export type AskedToken = {
  readonly scopes: readonly string[];
  readonly resource?: string;
  readonly audience?: string;
  /** Whether the scope for a refresh token was added, which nobody had asked for. */
  readonly isOfflineAdded?: true;
};

type Provider = {
  readonly provider: IdentityProvider;
  /** What its metadata lists (RFC 8414 2), where it does. */
  readonly scopesSupported?: readonly string[] | undefined;
};

/**
 * What is wanted, in the words of an identity provider: with the scope that brings a refresh token, where one is needed
 * for it, and with the parameter by which a token is for somebody.
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
  {resource: named, audience: said, isResourceSaid}: WantedToken,
  {target}: IdentityProvider,
): Pick<AskedToken, 'resource' | 'audience'> => {
  const resource = named === 'none' ? undefined : named;
  const isResourceSent = resource !== undefined && (isResourceSaid || (target === 'resource' && said === undefined));
  const audience = said ?? (target === 'audience' && !isResourceSaid ? resource : undefined);
  return {...(isResourceSent ? {resource} : {}), ...(audience === undefined ? {} : {audience})};
};

/** The same as parameters of a request. */
export const parametersOf = ({scopes, resource, audience}: AskedToken): Record<string, string> => ({
  ...(scopes.length > 0 ? {scope: scopes.join(' ')} : {}),
  ...(resource === undefined ? {} : {resource}),
  ...(audience === undefined ? {} : {audience}),
});

/** Whether the person has to give their consent again, or no refresh token comes (OpenID Connect Core 11). */
export const needsConsent = ({scopes}: AskedToken, {refreshToken}: IdentityProvider): boolean =>
  scopes.includes(OFFLINE_ACCESS) && refreshToken.consent === true;
