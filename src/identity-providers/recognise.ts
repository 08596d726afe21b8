import {identityProviders} from './catalogue/all.ts';
import {standard} from './catalogue/standard.ts';
import type {IdentityProvider} from './identity-provider.ts';

/** What an identity provider says of itself (RFC 8414 2), as far as it tells of which kind it is. */
export type ProviderMetadata = Readonly<Record<string, unknown>>;

/**
 * The kind of identity provider: by the domain of who runs it, or by two signs at least, its issuer and the paths of its
 * endpoints. Where nothing is known but the issuer, that is all there is to go by. `standard` where it is none that is known.
 */
export const recogniseProvider = (issuer: string, metadata: ProviderMetadata = {}): IdentityProvider =>
  identityProviders.find(({knownBy}) => signsOf(knownBy, issuer, metadata) >= ENOUGH) ?? standard;

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

/** How many signs of a kind make it likely. */
const ENOUGH = 2;

/** How many signs there are of a kind. One that should be there and is not speaks against all others. */
const signsOf = ({issuer: pattern, endpoints = {}}: KnownBy, issuer: string, metadata: ProviderMetadata): number => {
  const byIssuer = pattern?.test(issuer) === true;
  if (byIssuer && (isDomain(pattern) || !hasEndpoints(metadata))) return ENOUGH;
  const expected = Object.entries(endpoints);
  const isFitting = expected.every(([name, path]) => {
    const address = metadata[name];
    return typeof address === 'string' && URL.canParse(address) && path.test(new URL(address).pathname);
  });
  return isFitting ? expected.length + Number(byIssuer) : 0;
};

/** Whether a pattern names a domain, and not only a path, which anybody may have. */
const isDomain = ({source}: RegExp): boolean => source.startsWith('^https:') || source.startsWith(String.raw`\.`);

const hasEndpoints = (metadata: ProviderMetadata) => Object.keys(metadata).some(name => name.endsWith('_endpoint'));
