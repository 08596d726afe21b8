import {parseJson} from '../json.ts';
import {cleanText} from '../text.ts';
import {asAssistants, type Context} from './context.ts';
import {type CredentialsKey, isSameSignIn} from './credentials.ts';
import type {McpServer} from './mcp-servers.ts';
import type {Secret} from './secret.ts';

/** A server that may have tokens of its own. The control plane uses the sign-in's. */
export type OwnTokenServer = keyof NonNullable<Context['resources']>;

/** The sign-in that gives a token: the context's own, or the one for a server's resource. */
export type TokenContext = Context & Pick<CredentialsKey, 'audience'>;

/**
 * Returns the sign-in whose token a server accepts: the context's own, which serves both servers on most platforms, or
 * the one for the server's resource if it accepts no other (RFC 8707).
 */
export const contextFor = (context: Context, server: McpServer): TokenContext => {
  const resource = server === 'control-plane' ? undefined : context.resources?.[server];
  return resource === undefined ? context : {...context, resource, audience: resource};
};

/** Returns the tokens of one sign-in: its own first, then that of a server that accepts no other. */
export const tokensOfSignIn = (context: Context): readonly TokenContext[] =>
  context.resources?.observability === undefined ? [context] : [context, contextFor(context, 'observability')];

/**
 * Returns every kept sign-in of a context: the person's first, then that of the assistants. Of a context as its
 * assistants see it, only theirs.
 */
export const signInsOf = (context: Context): readonly TokenContext[] => {
  const assistants = context.actsAs === undefined ? asAssistants(context) : undefined;
  return [...tokensOfSignIn(context), ...(assistants ? tokensOfSignIn(assistants) : [])];
};

/** Whether one of these contexts uses this sign-in. It is then kept even if another context gives it up. */
export const isUsedBy = (key: CredentialsKey, contexts: readonly Context[]): boolean =>
  contexts.flatMap(signInsOf).some(one => isSameSignIn(one, key));

/**
 * Returns the `resource` to request (RFC 8707 2); undefined if there is none, or if the identity provider refused it.
 */
export const askedResource = ({resource}: Pick<Context, 'resource'>): string | undefined =>
  resource === 'none' ? undefined : resource;

/** The access tokens of this run: the sign-in's, and those of servers that have their own. */
export type RunTokens = {readonly signIn: Secret} & ServerTokens;

/** The access tokens of servers that have their own. */
export type ServerTokens = {readonly [S in OwnTokenServer]?: Secret};

/** Returns the token that a server accepts. */
export const tokenFor = (server: McpServer, tokens: RunTokens): Secret => ownIn(server, tokens) ?? tokens.signIn;

/** Whether a server has a token of its own. */
export const hasOwnToken = (server: McpServer, tokens: RunTokens): boolean => ownIn(server, tokens) !== undefined;

const ownIn = (server: McpServer, tokens: RunTokens) => (server === 'control-plane' ? undefined : tokens[server]);

/** The facts about a token that may be shown. */
export type TokenFacts = {
  readonly account: string;
  /** Milliseconds since the epoch; absent when the identity provider did not say. */
  readonly expiresAt?: number;
  /** The first characters of the token's SHA-256: enough to distinguish two tokens, and useless as a token. */
  readonly fingerprint: string;
  /** True if the token can be renewed without the person. */
  readonly renewable: boolean;
  /** When the sign-in ends despite renewals, in milliseconds since the epoch; absent if unknown. */
  readonly signInEndsAt?: number;
  /** Why the last renewal failed, if it will be tried again. A sentence. */
  readonly failure?: string;
};

/** A token of this run. `refresh` is absent if none was issued. */
export type Token = TokenFacts & {
  readonly access: Secret;
  readonly refresh?: Secret;
  /** The subject of the ID token. */
  readonly subject?: string;
  /** True if each renewal postpones the end of the refresh token. */
  readonly slides?: true;
};

/** The tokens that are for one server alone. */
export type OwnTokens = {readonly [S in OwnTokenServer]?: Token};

/** The answer of a token endpoint, as it is kept. */
export type TokenSet = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: number;
  /** When the sign-in ends, if the token endpoint says so, in milliseconds since the epoch. */
  readonly signInEndsAt?: number;
  /** The person's name in the ID token. */
  readonly account?: string;
  /** The subject of the ID token. */
  readonly subject?: string;
};

/**
 * Returns the document that `setup token --json` prints.
 *
 * @param expiresAt in milliseconds since the epoch, if known
 * @returns the expiry as an ISO 8601 date, with the token and the name of its context
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

/** Decodes the header or the payload of a JWT; undefined if the token is not a JWT. */
const partOf = (token: string, part: 'header' | 'payload'): Record<string, unknown> | undefined => {
  try {
    const text = token.split('.')[part === 'header' ? 0 : 1] ?? '';
    const value: unknown = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the claims of a JWT; undefined if the token is not a JWT. The signature is not verified. */
export const payloadOf = (token: string) => partOf(token, 'payload');

/** Returns the identifier of the key that signed a token (RFC 7515 4.1.4). */
export const keyIdOf = (token: string): string | undefined => {
  const kid = partOf(token, 'header')?.kid;
  return typeof kid === 'string' ? kid : undefined;
};

/**
 * Returns when a refresh token expires by its own claim (RFC 7519 4.1.4), in milliseconds since the epoch; undefined if
 * it does not say.
 */
export const refreshTokenEndOf = ({refreshToken}: {readonly refreshToken?: string | undefined}): number | undefined =>
  refreshToken === undefined ? undefined : expiryOf(refreshToken);

/** Returns when a token expires by its own claim, in milliseconds since the epoch; undefined if it does not say. */
export const expiryOf = (token: string): number | undefined => timeIn(token, 'exp');

/** Returns when a token was issued by its own claim (RFC 7519 4.1.6), in milliseconds since the epoch. */
export const issuedAtOf = (token: string): number | undefined => timeIn(token, 'iat');

/** How long after its issue a token counts as new, in milliseconds. */
const NEW = 2 * 60_000;

/**
 * Whether a token was issued a moment ago and has not expired, by its own claims: another sign-in would bring one that
 * is no different.
 *
 * @param now milliseconds since the epoch
 */
export const isNewToken = (token: string, now: number): boolean => {
  const issued = issuedAtOf(token);
  return issued !== undefined && Math.abs(now - issued) < NEW && now < (expiryOf(token) ?? Number.POSITIVE_INFINITY);
};

const timeIn = (token: string, claim: 'exp' | 'iat'): number | undefined => {
  const seconds = payloadOf(token)?.[claim];
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
};

export type TokenClaims = {
  readonly issuer?: string;
  readonly audience?: readonly string[];
  /** Reasons for which a server will refuse the token, as sentences. */
  readonly warnings: readonly string[];
};

/** A scope is read up to this length, in characters. No real token has a longer one. */
const LONGEST_SCOPE = 8_000;

/**
 * Returns the scopes of a token, from the standard claim (`scope`, RFC 9068 2.2.3) or from the one that some identity
 * providers write instead (`scp`, a text or a list).
 *
 * @returns undefined if the token does not say, or cannot be read
 */
export const scopesIn = (token: string): readonly string[] | undefined => {
  const {scope, scp} = payloadOf(token) ?? {};
  const claims = [scope ?? scp].flat().filter(one => typeof one === 'string');
  const scopes = claims
    .flatMap(one => one.slice(0, LONGEST_SCOPE).split(/\s+/))
    .flatMap(one => (one === '' ? [] : [cleanText(one)]));
  return scopes.length > 0 ? scopes : undefined;
};

/**
 * Whether a token was issued to a client for itself, with client credentials: its subject is the client (RFC 9068 2.2),
 * it names the grant, or its account is one that an identity provider created for a client.
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

/** Whether a token says that it was issued for a person. Many tokens do not say. */
export const isOfPerson = (token: string): boolean => {
  const claims = payloadOf(token) ?? {};
  return !isOfClient(token) && (typeof claims.grant_type === 'string' || personIn(claims) !== undefined);
};

/** Returns the client ID of the client that a token was issued to (RFC 9068 2.2). */
export const clientIn = (token: string): string | undefined => {
  const {client_id: id, azp} = payloadOf(token) ?? {};
  const client = id ?? azp;
  return typeof client === 'string' && client !== '' ? cleanText(client) : undefined;
};

/** Returns the name of the person, from the claims that identity providers use for it. */
export const personIn = (claims: Readonly<Record<string, unknown>>): string | undefined => {
  const names = ['email', 'preferred_username', 'username', 'name'].map(key => claims[key]);
  const name = names.find(one => typeof one === 'string' && one !== '');
  return typeof name === 'string' ? cleanText(name) : undefined;
};

/**
 * Reads what a token says about itself, as a hint only: the servers decide, and a client must not depend on the format
 * of a token (RFC 9068 6). The signature is not verified.
 *
 * @param now milliseconds since the epoch
 */
export const inspectToken = (token: string, issuer: string, now: number): TokenClaims => {
  const claims = payloadOf(token);
  if (!claims) return {warnings: ['The access token is opaque, but the platform’s servers need a JWT.']};
  const {iss, aud, exp} = claims;
  const warnings: string[] = [];
  if (typeof iss !== 'string') {
    warnings.push(
      `The token does not name its issuer, so the platform’s servers cannot tell that it is from ${issuer}.`,
    );
  } else if (iss !== issuer) {
    warnings.push(`The token was issued by ${cleanText(iss)}, but the identity provider is ${issuer}.`);
  }
  if (typeof exp === 'number' && exp * 1000 <= now)
    warnings.push('By this computer’s clock, the token has expired already. Is the clock right?');
  const audience = [aud].flat().filter(one => typeof one === 'string');
  return {
    ...(typeof iss === 'string' ? {issuer: cleanText(iss)} : {}),
    ...(audience.length > 0 ? {audience: audience.map(cleanText)} : {}),
    warnings,
  };
};

/**
 * Longer than any token that a server accepts in a header, in characters: most accept 8 to 16 KiB of headers in all.
 */
const LONGEST = 64 * 1024;

const bearerToken = /^[\w.~+/-]+=*$/;
const visible = /^[\x20-\x7e]+$/;

/** Whether a text is an access token that can be sent in a header (`b64token`, RFC 6750 2.1). */
export const isAccessToken = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LONGEST && bearerToken.test(text);

/** Whether a text is a refresh token that can be sent in a form (`VSCHAR`, RFC 6749 A.17). */
export const isRefreshToken = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LONGEST && visible.test(text);
