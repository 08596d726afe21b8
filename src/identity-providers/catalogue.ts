import {auth0} from './catalogue/auth0.ts';
import {authelia} from './catalogue/authelia.ts';
import {authentik} from './catalogue/authentik.ts';
import {cognito} from './catalogue/cognito.ts';
import {dex} from './catalogue/dex.ts';
import {entraId} from './catalogue/entra-id.ts';
import {gitlab} from './catalogue/gitlab.ts';
import {google} from './catalogue/google.ts';
import {hydra} from './catalogue/hydra.ts';
import {jumpCloud} from './catalogue/jumpcloud.ts';
import {keycloak} from './catalogue/keycloak.ts';
import {okta} from './catalogue/okta.ts';
import {ping} from './catalogue/ping.ts';
import {spring} from './catalogue/spring.ts';
import {standard} from './catalogue/standard.ts';
import {thunderId} from './catalogue/thunderid.ts';
import {wso2} from './catalogue/wso2.ts';
import {zitadel} from './catalogue/zitadel.ts';
import {
  type Cause,
  fill,
  type GuideValues,
  type IdentityProvider,
  type Refusal,
  type Stage,
} from './identity-provider.ts';

/** Every kind of identity provider that is recognised; those that are told by more come first. */
export const identityProviders: readonly IdentityProvider[] = [
  thunderId,
  keycloak,
  entraId,
  okta,
  auth0,
  cognito,
  google,
  ping,
  zitadel,
  spring,
  authentik,
  authelia,
  jumpCloud,
  wso2,
  gitlab,
  hydra,
  dex,
];

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

/** An answer that refuses something: the error of the protocol, and what was said besides; a page has only that. */
export type Refused = {readonly at: Stage; readonly error?: string | undefined; readonly says?: string | undefined};

/** Why, by what this kind of identity provider says, else by what the standards have it say; undefined where neither tells. */
export const causeOf = (provider: IdentityProvider, refused: Refused): Cause | undefined =>
  [...provider.refusals, ...standard.refusals].find(one => fits(one, refused))?.cause;

/** More than any explanation is long, in characters: what it says of itself is looked for in this much of it. */
const LONGEST = 1_000;

const fits = ({at, error, says}: Refusal, refused: Refused): boolean =>
  (at === undefined || at.includes(refused.at)) &&
  (error === undefined || error === refused.error) &&
  (says === undefined || says.test((refused.says ?? '').slice(0, LONGEST)));

/** Where a cause is mended at this kind of identity provider, in one sentence. */
export const settingOf = (provider: IdentityProvider, cause: Cause, values: GuideValues): string =>
  fill(provider.settings[cause] ?? standard.settings[cause], values);

/** Whom a person asks for what only operators can change. */
export const operatorsChange = ({id, name}: IdentityProvider, setting: string): string =>
  `Ask the operators of ${id === 'standard' ? 'the identity provider' : name} to change this: ${setting}`;
