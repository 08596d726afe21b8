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
  type RequestStage,
} from './identity-provider.ts';

/**
 * Every kind of identity provider that is recognised. The first that fits is taken, so the kinds with the least
 * distinctive signs come last.
 */
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

/** The metadata of an identity provider (RFC 8414 2), used to recognise its kind. */
export type ProviderMetadata = Readonly<Record<string, unknown>>;

/**
 * Returns the kind of identity provider: by the domain of its vendor, or by at least two signs among its issuer and the
 * paths of its endpoints. If only the issuer is known, the issuer alone decides. `standard` if the kind is unknown.
 */
export const recogniseProvider = (issuer: string, metadata: ProviderMetadata = {}): IdentityProvider =>
  identityProviders.find(({knownBy}) => signsOf(knownBy, issuer, metadata) >= ENOUGH) ?? standard;

/** Returns the kind that has this ID, or whose name contains this text; undefined if there is none. */
export const findProvider = (name: string): IdentityProvider | undefined => {
  const wanted = plain(name);
  return [...identityProviders, standard].find(one => plain(one.id) === wanted || plain(one.name).includes(wanted));
};

/** Returns the kind of that ID, or `standard` if it is unknown. */
export const providerOf = (id: string | undefined): IdentityProvider =>
  identityProviders.find(one => one.id === id) ?? standard;

/** Every kind, `standard` last. */
export const allProviders: readonly IdentityProvider[] = [...identityProviders, standard];

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

type KnownBy = IdentityProvider['knownBy'];

/** The number of signs that are enough to recognise a kind of identity provider. */
const ENOUGH = 2;

/**
 * Counts the signs of a kind. A fitting issuer is sufficient if it contains the kind's domain, or if there are no
 * endpoints to compare. Otherwise, if one expected endpoint does not fit, no sign counts.
 */
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

/** Whether a pattern contains a domain, and not only a path, which any program may have. */
const isDomain = ({source}: RegExp): boolean => source.startsWith('^https:') || source.startsWith(String.raw`\.`);

const hasEndpoints = (metadata: ProviderMetadata) => Object.keys(metadata).some(name => name.endsWith('_endpoint'));

/** An answer that refuses something: the error code of the protocol, and a description. A page has only the latter. */
export type Refused = {
  readonly at: RequestStage;
  readonly error?: string | undefined;
  readonly says?: string | undefined;
};

/**
 * Returns the cause of a refusal, by this kind's own wording, otherwise by the standards'; undefined if neither fits.
 */
export const causeOf = (provider: IdentityProvider, refused: Refused): Cause | undefined =>
  [...provider.refusals, ...standard.refusals].find(one => fits(one, refused))?.cause;

/** Longer than any explanation, in characters: only this much is searched for the provider's wording. */
const LONGEST = 1_000;

const fits = ({at, error, says}: Refusal, refused: Refused): boolean =>
  (at === undefined || at.includes(refused.at)) &&
  (error === undefined || error === refused.error) &&
  (says === undefined || says.test((refused.says ?? '').slice(0, LONGEST)));

/** Returns where to correct a cause at this kind of identity provider, in one sentence. */
export const settingOf = (provider: IdentityProvider, cause: Cause, values: GuideValues): string =>
  fill(provider.settings[cause] ?? standard.settings[cause], values);

/** Returns the request to the operators for a change that only they can make. */
export const operatorsChange = ({id, name}: IdentityProvider, setting: string): string =>
  `Ask the operators of ${id === 'standard' ? 'the identity provider' : name} to change this: ${setting}`;
