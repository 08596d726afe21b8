/** What a token is to be for, before it is known how its identity provider wants that said. */
export type WantedToken = {
  /** Empty where the identity provider is to decide. */
  readonly scopes: readonly string[];
  /** The audience that the platform names (RFC 8707), or that the person does; `none` where nothing is to be named. */
  readonly resource?: string;
  /** The audience under the identity provider's own name for it, where the person said that. */
  readonly audience?: string;
  /** Whether the scope for a refresh token is left out, because the identity provider has refused it. */
  readonly isWithoutOffline?: true;
  /** What the identity provider wants proven at this sign-in (OpenID Connect Core 5.5), as it said. */
  readonly claims?: string;
  /** Whether it is asked for as the standards have it, because the dialect that was taken for the provider's was refused. */
  readonly isStandard?: true;
  /** Whether it was the person who named the scopes: then they are sent as they are, also those that are about people. */
  readonly isScopeSaid?: true;
  /** Whether it was the person who named the resource: then it is sent also where that is not usual. */
  readonly isResourceSaid?: true;
  /** How the person is to sign in. */
  readonly level?: SignInLevel;
};

/** How a person is to sign in, where a server demands more than a sign-in (OpenID Connect Core 3.1.2.1, RFC 9470 3). */
export type SignInLevel = {
  /** Authentication Context Class References with spaces between, the preferred one first. */
  readonly acrValues?: string;
  /** How long ago it may be that they proved who they are, in seconds. */
  readonly maxAge?: number;
};

/** What a person has said about the tokens of a deployment; it comes before everything that is found out. */
export type SaidRequest = {
  readonly scopes?: readonly string[];
  readonly resource?: string;
  readonly audience?: string;
  readonly acrValues?: string;
  readonly maxAge?: number;
};

/** What is kept with a context of what a person has said. A maximum age was for one sign-in: kept, it would ask again each time. */
export const requestToKeep = ({maxAge: _, ...said}: SaidRequest = {}): SaidRequest | undefined =>
  Object.keys(said).length > 0 ? said : undefined;

/** What was found out of it, with what the person said in its place. */
export const wantedWith = (said: SaidRequest | undefined, found: WantedToken): WantedToken => ({
  ...found,
  ...(said?.scopes === undefined ? {} : {scopes: said.scopes, isScopeSaid: true}),
  ...(said?.resource === undefined ? {} : {resource: said.resource, isResourceSaid: true}),
  ...(said?.audience === undefined ? {} : {audience: said.audience}),
  ...(said?.acrValues === undefined && said?.maxAge === undefined ? {} : {level: levelIn(said)}),
});

const levelIn = ({acrValues, maxAge}: SaidRequest): SignInLevel => ({
  ...(acrValues === undefined ? {} : {acrValues}),
  ...(maxAge === undefined ? {} : {maxAge}),
});

/** The same as parameters of an authorization request. */
export const levelParameters = ({acrValues, maxAge}: SignInLevel = {}): Record<string, string> => ({
  ...(acrValues === undefined ? {} : {acr_values: acrValues}),
  ...(maxAge === undefined ? {} : {max_age: String(maxAge)}),
});

/** What a context knows of its tokens. */
type KeptRequest = {
  readonly scopes?: readonly string[];
  readonly resource?: string;
  readonly asks?: SaidRequest;
};

/** What the tokens of a saved sign-in are for. The scopes that are kept are those that were asked for. */
export const wantedOf = ({scopes = [], resource, asks}: KeptRequest): WantedToken => {
  const {scopes: named, ...said} = asks ?? {};
  return wantedWith(said, {
    scopes,
    ...(named === undefined ? {} : {isScopeSaid: true}),
    ...(resource === undefined ? {} : {resource}),
  });
};

/** What the last sign-in to a context has found out about its identity provider. */
export type LearntRequest = {
  /** Set where the identity provider refused the control plane's resource. */
  readonly withoutResource?: boolean;
  /** Set where a refresh token came only with the scope for it. */
  readonly needsOffline?: boolean;
};

export const learntOf = ({resource, scopes = []}: KeptRequest): LearntRequest => ({
  withoutResource: resource === 'none',
  needsOffline: scopes.includes(OFFLINE_ACCESS),
});

/** The scope that asks for a refresh token (OpenID Connect Core 11). */
export const OFFLINE_ACCESS = 'offline_access';

/** Scopes about a person (OpenID Connect Core 5.4 and 11), which a client that signs in by itself is none. */
const aboutPeople: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'address', 'phone', OFFLINE_ACCESS]);

/** Those of the scopes that a client can ask for. */
export const scopesOfClient = (scopes: readonly string[]): readonly string[] =>
  scopes.filter(scope => !aboutPeople.has(scope));

/** How a context signs in. Each names a client of the identity provider and how it proves itself. */
export type SignInMethod = 'browser' | ClientMethod;

/** The ways of a client that signs in by a secret of its own. */
export type ClientMethod = 'service-account' | 'mcp-client';

/** How a client sends its secret to the token endpoint (RFC 6749 2.3.1): in the header, or in the request's body. */
export type SecretMethod = (typeof secretMethods)[number];

/** All of them. */
export const secretMethods = ['client_secret_basic', 'client_secret_post'] as const;

/** How a client of this kind usually sends its secret (platform access 5.3 and 5.5). */
export const secretMethodOf = (method: ClientMethod): SecretMethod =>
  method === 'mcp-client' ? 'client_secret_basic' : 'client_secret_post';

/** The other way to send a secret. */
export const otherSecretMethod = (method: SecretMethod): SecretMethod =>
  method === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';

/** Whether a sign-in is by a secret that has to be sent in the header, so that it is of no use to who sends it otherwise. */
export const isByHeader = (method: SignInMethod): boolean =>
  method !== 'browser' && secretMethodOf(method) === 'client_secret_basic';
