import {createLocalJWKSet, type JWTPayload, jwtVerify} from 'jose';
import type {SigningKey} from './signing-key.ts';

export type Verdict =
  | {readonly kind: 'valid'; readonly claims: JWTPayload}
  /** Not a token of this provider's keys, or no longer or not yet good. */
  | {readonly kind: 'invalid-token'}
  /** Well signed and in time, but from another issuer or for somebody else. */
  | {readonly kind: 'invalid-claims'};

export type TokenVerifier = (token: string) => Promise<Verdict>;

type Expected = {
  readonly issuer: string;
  /** The audiences that count at the moment; undefined where any does. */
  readonly audiences?: () => readonly string[] | undefined;
  /** How far the clock that tokens are judged by is from this machine's at the moment, in milliseconds. */
  readonly clockOffset: () => number;
};

/**
 * Checks bearer tokens: signature (RS256 only), `exp`, `nbf`, then `iss`, then `aud` when audiences are given. One of
 * them has to be in the token (RFC 9068 4, RFC 8725 3.1, 3.8 and 3.9).
 */
export const tokenVerifier = (
  key: Pick<SigningKey, 'jwks'>,
  {issuer, audiences = () => undefined, clockOffset}: Expected,
): TokenVerifier => {
  let known = {jwks: key.jwks(), keys: createLocalJWKSet(key.jwks())};
  const keys = () => {
    const jwks = key.jwks();
    if (jwks !== known.jwks) known = {jwks, keys: createLocalJWKSet(jwks)};
    return known.keys;
  };
  return async token => {
    let claims: JWTPayload;
    try {
      const currentDate = new Date(Date.now() + clockOffset());
      const checks = {algorithms: ['RS256'], requiredClaims: ['exp'], currentDate};
      ({payload: claims} = await jwtVerify(token, keys(), checks));
    } catch {
      return {kind: 'invalid-token'};
    }
    const audience = [claims.aud ?? []].flat();
    const accepted = audiences();
    const meant = accepted === undefined || accepted.some(one => audience.includes(one));
    return claims.iss === issuer && meant ? {kind: 'valid', claims} : {kind: 'invalid-claims'};
  };
};

/** The token of an `Authorization: Bearer` header (RFC 6750 2.1), or undefined when there is none. */
export const bearerOf = (authorization: string | undefined) => /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
