/** The purpose of a token, before it is known how its identity provider wants that expressed. */
export type WantedToken = {
  /** Empty if the identity provider decides. */
  readonly scopes: readonly string[];
  /** The audience that the platform or the person names (RFC 8707); `none` to name none. */
  readonly resource?: string;
  /** The audience under the identity provider's own name for it, if the person gave that. */
  readonly audience?: string;
  /** True if the scope for a refresh token is left out because the identity provider has refused it. */
  readonly isWithoutOffline?: true;
  /** The claims that the identity provider demands at this sign-in (OpenID Connect Core 5.5), in its own words. */
  readonly claims?: string;
  /** True if the request follows the standards, because the identity provider refused the dialect assumed for it. */
  readonly isStandard?: true;
  /** True if the person named the scopes: they are sent as they are, including those about people. */
  readonly isScopeSaid?: true;
  /** True if the person named the resource: it is sent even if that is unusual for the identity provider. */
  readonly isResourceSaid?: true;
  /** How the person has to sign in. */
  readonly level?: SignInLevel;
};

/** How a person has to sign in if a server demands more than a sign-in (OpenID Connect Core 3.1.2.1, RFC 9470 3). */
export type SignInLevel = {
  /** Authentication Context Class References, separated by spaces, the preferred one first. */
  readonly acrValues?: string;
  /** The greatest age of the person's authentication, in seconds. */
  readonly maxAge?: number;
};

/** The person's wishes for the tokens of a deployment. They override everything that is detected. */
export type SaidRequest = {
  readonly scopes?: readonly string[];
  readonly resource?: string;
  readonly audience?: string;
  readonly acrValues?: string;
  readonly maxAge?: number;
};

/**
 * Returns what a context keeps of the person's wishes. A maximum age is for one sign-in: if kept, it would force a new
 * one each time.
 */
export const requestToKeep = ({maxAge: _, ...rest}: SaidRequest = {}): SaidRequest | undefined =>
  Object.keys(rest).length > 0 ? rest : undefined;

/** Returns what was detected, overridden by what the person said. */
export const wantedWith = (requested: SaidRequest | undefined, found: WantedToken): WantedToken => ({
  ...found,
  ...(requested?.scopes === undefined ? {} : {scopes: requested.scopes, isScopeSaid: true}),
  ...(requested?.resource === undefined ? {} : {resource: requested.resource, isResourceSaid: true}),
  ...(requested?.audience === undefined ? {} : {audience: requested.audience}),
  ...(requested?.acrValues === undefined && requested?.maxAge === undefined ? {} : {level: levelIn(requested)}),
});

const levelIn = ({acrValues, maxAge}: SaidRequest): SignInLevel => ({
  ...(acrValues === undefined ? {} : {acrValues}),
  ...(maxAge === undefined ? {} : {maxAge}),
});

/** Returns a sign-in level as parameters of an authorization request. */
export const levelParameters = ({acrValues, maxAge}: SignInLevel = {}): Record<string, string> => ({
  ...(acrValues === undefined ? {} : {acr_values: acrValues}),
  ...(maxAge === undefined ? {} : {max_age: String(maxAge)}),
});

/** The token request as kept with a context. */
type KeptRequest = {
  readonly scopes?: readonly string[];
  readonly resource?: string;
  readonly asks?: SaidRequest;
};

/** Returns what the tokens of a saved sign-in are for. The kept scopes are those that were requested. */
export const wantedOf = ({scopes = [], resource, asks}: KeptRequest): WantedToken => {
  const {scopes: named, ...rest} = asks ?? {};
  return wantedWith(rest, {
    scopes,
    ...(named === undefined ? {} : {isScopeSaid: true}),
    ...(resource === undefined ? {} : {resource}),
  });
};

/** Facts about the identity provider that the last sign-in to a context has shown. */
export type LearntRequest = {
  /** True if the identity provider refused the control plane's resource. */
  readonly withoutResource?: boolean;
  /** True if a refresh token came only with the scope for it. */
  readonly needsOffline?: boolean;
};

export const learntOf = ({resource, scopes = []}: KeptRequest): LearntRequest => ({
  withoutResource: resource === 'none',
  needsOffline: scopes.includes(OFFLINE_ACCESS),
});

/** The scope that asks for a refresh token (OpenID Connect Core 11). */
export const OFFLINE_ACCESS = 'offline_access';

/** Scopes about a person (OpenID Connect Core 5.4 and 11). They do not apply to a client that signs in by itself. */
const aboutPeople: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'address', 'phone', OFFLINE_ACCESS]);

/** Returns the scopes that a client may ask for by itself. */
export const scopesOfClient = (scopes: readonly string[]): readonly string[] =>
  scopes.filter(scope => !aboutPeople.has(scope));

/** How a context signs in. Each value names a client of the identity provider and how that client authenticates. */
export type SignInMethod = 'browser' | ClientMethod;

/** The methods of a client that signs in with a secret of its own. */
export type ClientMethod = 'service-account' | 'mcp-client';

/** How a client sends its secret to the token endpoint (RFC 6749 2.3.1): in the header, or in the request's body. */
export type SecretMethod = (typeof secretMethods)[number];

/** All values of `SecretMethod`. */
export const secretMethods = ['client_secret_basic', 'client_secret_post'] as const;

/** Returns how a client of this kind usually sends its secret (platform access 5.3 and 5.5). */
export const secretMethodOf = (method: ClientMethod): SecretMethod =>
  method === 'mcp-client' ? 'client_secret_basic' : 'client_secret_post';

/** Returns the other way to send a secret. */
export const otherSecretMethod = (method: SecretMethod): SecretMethod =>
  method === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';

/**
 * Whether a sign-in's secret has to be sent in the header. A program that can only send it in the body cannot use it.
 */
export const isByHeader = (method: SignInMethod): boolean =>
  method !== 'browser' && secretMethodOf(method) === 'client_secret_basic';
