import {cleanText} from '../../../text.ts';

export type TokenClaims = {
  readonly issuer?: string;
  readonly audience?: readonly string[];
  /** What will make a server refuse the token, as sentences. */
  readonly warnings: readonly string[];
};

/**
 * What a token says of itself, as a hint only: the servers decide, and an opaque token is as good as a JWT here
 * (RFC 9068 6). The signature is not looked at.
 *
 * @param now milliseconds since the epoch
 */
export const inspectToken = (token: string, issuer: string, now: number): TokenClaims => {
  const claims = payloadOf(token);
  if (!claims) return {warnings: ['The access token is opaque, and the platform’s servers want a JWT.']};
  const {iss, aud, exp} = claims;
  const warnings: string[] = [];
  if (iss !== issuer) {
    warnings.push(`The token was issued by ${cleanText(String(iss))}, and the identity provider is ${issuer}.`);
  }
  if (typeof exp === 'number' && exp * 1000 <= now) warnings.push('The token has expired already. Is the clock right?');
  const audience = [aud].flat().filter(one => typeof one === 'string');
  return {
    ...(typeof iss === 'string' ? {issuer: cleanText(iss)} : {}),
    ...(audience.length > 0 ? {audience: audience.map(cleanText)} : {}),
    warnings,
  };
};

/** The header of a JWT, or what it claims; undefined for what is none. */
const partOf = (token: string, part: 'header' | 'payload'): Record<string, unknown> | undefined => {
  try {
    const text = token.split('.')[part === 'header' ? 0 : 1] ?? '';
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const payloadOf = (token: string) => partOf(token, 'payload');

/** The identifier of the key that a token is signed with (RFC 7515 4.1.4). */
export const keyIdOf = (token: string): string | undefined => {
  const kid = partOf(token, 'header')?.kid;
  return typeof kid === 'string' ? kid : undefined;
};

/**
 * When a sign-in ends, whatever is renewed until then, as its refresh token says (RFC 7519 4.1.4); undefined for one that
 * does not say. In milliseconds since the epoch.
 */
export const signInEndOf = ({refreshToken}: {readonly refreshToken?: string}): number | undefined =>
  refreshToken === undefined ? undefined : expiryOf(refreshToken);

/** When a token ends, in milliseconds since the epoch, as it says itself; undefined for one that does not say. */
export const expiryOf = (token: string): number | undefined => {
  const exp = payloadOf(token)?.exp;
  return typeof exp === 'number' ? exp * 1000 : undefined;
};
