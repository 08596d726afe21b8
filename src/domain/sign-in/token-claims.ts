import {cleanText} from '../../text.ts';
import {payloadOf} from './jwt.ts';

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
