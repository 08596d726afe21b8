import {identityProviders} from './catalogue/all.ts';
import {standard} from './catalogue/standard.ts';
import type {IdentityProvider} from './identity-provider.ts';

/** What an identity provider says of itself (RFC 8414 2), as far as it tells of which kind it is. */
export type ProviderMetadata = Readonly<Record<string, unknown>>;

/** The kind of identity provider, by its issuer and the paths of its endpoints; `standard` where it is none that is known. */
export const recogniseProvider = (issuer: string, metadata: ProviderMetadata = {}): IdentityProvider =>
  identityProviders.find(({knownBy}) => hasIssuer(knownBy, issuer) || hasEndpoints(knownBy, metadata)) ?? standard;

/** The one of that name or ID. */
export const findProvider = (name: string): IdentityProvider | undefined => {
  const wanted = plain(name);
  return [...identityProviders, standard].find(one => plain(one.id) === wanted || plain(one.name).includes(wanted));
};

/** The one of that ID; what stands for all others where nobody knows which it is. */
export const providerOf = (id: string | undefined): IdentityProvider =>
  identityProviders.find(one => one.id === id) ?? standard;

/** Every kind, the one that stands for all others last. */
export const allProviders: readonly IdentityProvider[] = [...identityProviders, standard];

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

type KnownBy = IdentityProvider['knownBy'];

const hasIssuer = ({issuer: pattern}: KnownBy, issuer: string) => pattern?.test(issuer) === true;

const hasEndpoints = ({endpoints}: KnownBy, metadata: ProviderMetadata) =>
  endpoints !== undefined &&
  Object.entries(endpoints).every(([name, path]) => {
    const address = metadata[name];
    return typeof address === 'string' && URL.canParse(address) && path.test(new URL(address).pathname);
  });
