import {parseJson} from '../../json.ts';

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
