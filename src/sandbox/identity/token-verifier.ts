import {createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify} from 'jose';

export type Verdict =
  | {readonly kind: 'valid'; readonly claims: JWTPayload}
  /** Not a token of this provider's keys, or no longer or not yet good. */
  | {readonly kind: 'invalid-token'}
  /** Well signed and in time, but from another issuer or for somebody else. */
  | {readonly kind: 'invalid-claims'};

export type TokenVerifier = (token: string) => Promise<Verdict>;

type Expected = {
  readonly issuer: string;
  readonly audiences?: readonly string[];
  /** How far the clock that tokens are judged by is from this machine's at the moment, in milliseconds. */
  readonly clockOffset: () => number;
};

/**
 * Checks bearer tokens: signature (RS256 only), `exp`, `nbf`, then `iss`, then `aud` when audiences are given. One of
 * them has to be in the token (RFC 9068 4, RFC 8725 3.1, 3.8 and 3.9).
 */
export const tokenVerifier = (jwks: JSONWebKeySet, {issuer, audiences, clockOffset}: Expected): TokenVerifier => {
  const keys = createLocalJWKSet(jwks);
  return async token => {
    let claims: JWTPayload;
    try {
      const currentDate = new Date(Date.now() + clockOffset());
      ({payload: claims} = await jwtVerify(token, keys, {algorithms: ['RS256'], requiredClaims: ['exp'], currentDate}));
    } catch {
      return {kind: 'invalid-token'};
    }
    const audience = [claims.aud ?? []].flat();
    const meant = audiences === undefined || audiences.some(accepted => audience.includes(accepted));
    return claims.iss === issuer && meant ? {kind: 'valid', claims} : {kind: 'invalid-claims'};
  };
};

/** The token of an `Authorization: Bearer` header (RFC 6750 2.1), or undefined when there is none. */
export const bearerOf = (authorization: string | undefined) => /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
