import {parseJson} from '../json.ts';
import {cleanText} from '../text.ts';
import type {Context} from './context.ts';
import {type CredentialsKey, isSameSignIn} from './credentials.ts';
import type {McpServer} from './mcp-servers.ts';
import type {Secret} from './secret.ts';

/** A server that may have tokens of its own. Those of the control plane are the sign-in's. */
export type OwnTokenServer = keyof NonNullable<Context['resources']>;

/** As which sign-in a token is got: the context's own, or the one for the resource that a server is. */
export type TokenContext = Context & Pick<CredentialsKey, 'audience'>;

/**
 * The sign-in whose token a server takes: the context's own, which serves both servers on most platforms, or the one for
 * the server's resource, where it takes no other (RFC 8707).
 */
export const contextFor = (context: Context, server: McpServer): TokenContext => {
  const resource = server === 'control-plane' ? undefined : context.resources?.[server];
  return resource === undefined ? context : {...context, resource, audience: resource};
};

/** Every sign-in that is kept of a context: its own comes first. */
export const signInsOf = (context: Context): readonly TokenContext[] =>
  context.resources?.observability === undefined ? [context] : [context, contextFor(context, 'observability')];

/** Whether one of these contexts lives on this sign-in: then it is kept although another one lets go of it. */
export const isUsedBy = (key: CredentialsKey, contexts: readonly Context[]): boolean =>
  contexts.flatMap(signInsOf).some(one => isSameSignIn(one, key));

/** What is asked for as `resource` (RFC 8707 2); nothing where the identity provider has refused what there is. */
export const askedResource = ({resource}: Pick<Context, 'resource'>): string | undefined =>
  resource === 'none' ? undefined : resource;

/** The access tokens of this run: the sign-in's, and those that a server has of its own. */
export type RunTokens = {readonly signIn: Secret} & ServerTokens;

/** The access tokens that servers have of their own. */
export type ServerTokens = {readonly [S in OwnTokenServer]?: Secret};

/** The one of them that a server takes. */
export const tokenFor = (server: McpServer, tokens: RunTokens): Secret => ownIn(server, tokens) ?? tokens.signIn;

/** Whether that is one of its own. */
export const hasOwnToken = (server: McpServer, tokens: RunTokens): boolean => ownIn(server, tokens) !== undefined;

const ownIn = (server: McpServer, tokens: RunTokens) => (server === 'control-plane' ? undefined : tokens[server]);

/** What anybody may know of a token. */
export type TokenFacts = {
  readonly account: string;
  /** Milliseconds since the epoch; absent when the identity provider did not say. */
  readonly expiresAt?: number;
  /** The first characters of the token's SHA-256: enough to tell two tokens apart, useless as one. */
  readonly fingerprint: string;
  /** Whether it can be renewed without the person. */
  readonly renewable: boolean;
  /** When that ends too, in milliseconds since the epoch, where the refresh token says so. */
  readonly signInEndsAt?: number;
  /** Why the last attempt to renew it failed, where another one will be made. A sentence. */
  readonly failure?: string;
};

/** A token of this run. The refresh token is absent where it came without. */
export type Token = TokenFacts & {
  readonly access: Secret;
  readonly refresh?: Secret;
  /** Who signed in, by the ID token. */
  readonly subject?: string;
  /** Set where each renewal puts the end of the refresh token off. */
  readonly slides?: true;
};

/** The tokens that are for one server alone. */
export type OwnTokens = {readonly [S in OwnTokenServer]?: Token};

/** What a token endpoint gave, as it is kept. */
export type TokenSet = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: number;
  /** When the sign-in ends, where the token endpoint says so, in milliseconds since the epoch. */
  readonly signInEndsAt?: number;
  /** How the person is called, by the ID token. */
  readonly account?: string;
  /** Who that is, by the ID token. */
  readonly subject?: string;
};

/**
 * What `setup token --json` prints.
 *
 * @param expiresAt in milliseconds since the epoch, where that is known
 * @returns the same as an ISO 8601 date, with the token and the name of its context
 */
export const tokenDocument = ({
  accessToken,
  expiresAt,
  context,
}: {
  readonly accessToken: string;
  readonly expiresAt: number | undefined;
  readonly context: string;
}) => ({
  accessToken,
  expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
  context,
});

/** The header of a JWT, or what it claims; undefined for what is none. */
const partOf = (token: string, part: 'header' | 'payload'): Record<string, unknown> | undefined => {
  try {
    const text = token.split('.')[part === 'header' ? 0 : 1] ?? '';
    const value: unknown = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** What a JWT claims; undefined for a token that is none. The signature is not looked at. */
export const payloadOf = (token: string) => partOf(token, 'payload');

/** The identifier of the key that a token is signed with (RFC 7515 4.1.4). */
export const keyIdOf = (token: string): string | undefined => {
  const kid = partOf(token, 'header')?.kid;
  return typeof kid === 'string' ? kid : undefined;
};

/**
 * When a refresh token ends, as it says itself (RFC 7519 4.1.4); undefined for one that does not say. In milliseconds since
 * the epoch.
 */
export const refreshTokenEndOf = ({refreshToken}: {readonly refreshToken?: string | undefined}): number | undefined =>
  refreshToken === undefined ? undefined : expiryOf(refreshToken);

/** When a token ends, in milliseconds since the epoch, as it says itself; undefined for one that does not say. */
export const expiryOf = (token: string): number | undefined => timeIn(token, 'exp');

/** When a token was issued, in milliseconds since the epoch, as it says itself (RFC 7519 4.1.6). */
export const issuedAtOf = (token: string): number | undefined => timeIn(token, 'iat');

const timeIn = (token: string, claim: 'exp' | 'iat'): number | undefined => {
  const seconds = payloadOf(token)?.[claim];
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
};

export type TokenClaims = {
  readonly issuer?: string;
  readonly audience?: readonly string[];
  /** What will make a server refuse the token, as sentences. */
  readonly warnings: readonly string[];
};

/** As much of a scope as is looked at, in characters: more than any token has. */
const LONGEST_SCOPE = 8_000;

/**
 * What a token was given for, by the claim of the standard (`scope`, RFC 9068 2.2.3) or by the one that others write
 * in its place (`scp`, a text or a list).
 *
 * @returns undefined for a token that does not say, or that cannot be read
 */
export const scopesIn = (token: string): readonly string[] | undefined => {
  const {scope, scp} = payloadOf(token) ?? {};
  const said = [scope ?? scp].flat().filter(one => typeof one === 'string');
  const scopes = said
    .flatMap(one => one.slice(0, LONGEST_SCOPE).split(/\s+/))
    .flatMap(one => (one === '' ? [] : [cleanText(one)]));
  return scopes.length > 0 ? scopes : undefined;
};

/**
 * Whether a token was issued to a client for itself, with client credentials: its subject is the client then (RFC 9068
 * 2.2), it names the grant, or its account is one that an identity provider made for a client.
 */
export const isOfClient = (token: string): boolean => {
  const {sub, grant_type: grant, preferred_username: account} = payloadOf(token) ?? {};
  const client = clientIn(token);
  return (
    grant === 'client_credentials' ||
    (client !== undefined && (sub === client || (typeof account === 'string' && isAccountOf(client, account))))
  );
};

/** Identity providers that keep an account for a client name it after the client, or after the grant. */
const isAccountOf = (client: string, account: string) =>
  account.toLowerCase() === `service-account-${client.toLowerCase()}` || account.endsWith('-client_credentials');

/** Whether a token says that it was issued for a person. Many say neither that nor the opposite. */
export const isOfPerson = (token: string): boolean => {
  const claims = payloadOf(token) ?? {};
  return !isOfClient(token) && (typeof claims.grant_type === 'string' || personIn(claims) !== undefined);
};

/** The client that a token was issued to (RFC 9068 2.2), by its client ID. */
export const clientIn = (token: string): string | undefined => {
  const {client_id: id, azp} = payloadOf(token) ?? {};
  const client = id ?? azp;
  return typeof client === 'string' && client !== '' ? cleanText(client) : undefined;
};

/** What people call themselves, by the claims in which identity providers have it. */
export const personIn = (claims: Readonly<Record<string, unknown>>): string | undefined => {
  const names = ['email', 'preferred_username', 'username', 'name'].map(key => claims[key]);
  const name = names.find(one => typeof one === 'string' && one !== '');
  return typeof name === 'string' ? cleanText(name) : undefined;
};

/**
 * What a token says of itself, as a hint only: the servers decide, and an opaque token is as good as a JWT here
 * (RFC 9068 6). The signature is not looked at.
 *
 * @param now milliseconds since the epoch
 */
export const inspectToken = (token: string, issuer: string, now: number): TokenClaims => {
  const claims = payloadOf(token);
  if (!claims) return {warnings: ['The access token is opaque, but the platform’s servers need a JWT.']};
  const {iss, aud, exp} = claims;
  const warnings: string[] = [];
  if (iss !== issuer) {
    warnings.push(`The token was issued by ${cleanText(String(iss))}, but the identity provider is ${issuer}.`);
  }
  if (typeof exp === 'number' && exp * 1000 <= now) warnings.push('The token has expired already. Is the clock right?');
  const audience = [aud].flat().filter(one => typeof one === 'string');
  return {
    ...(typeof iss === 'string' ? {issuer: cleanText(iss)} : {}),
    ...(audience.length > 0 ? {audience: audience.map(cleanText)} : {}),
    warnings,
  };
};

/** Longer than any token that a server takes in a header, in characters: most take 8 to 16 KiB of headers in all. */
const LONGEST = 64 * 1024;

const bearerToken = /^[\w.~+/-]+=*$/;
const visible = /^[\x20-\x7e]+$/;

/** Whether a text is an access token as it can stand in a header (`b64token`, RFC 6750 2.1). */
export const isAccessToken = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LONGEST && bearerToken.test(text);

/** Whether a text is a refresh token as it can stand in a form (`VSCHAR`, RFC 6749 A.17). */
export const isRefreshToken = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LONGEST && visible.test(text);
