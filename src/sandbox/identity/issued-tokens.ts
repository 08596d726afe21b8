import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import {sendJson} from '../http-server.ts';

export type SigningKey = {
  /** What the JWKS endpoint shows (RFC 7517 5). Another object after each renewal. */
  jwks(): {readonly keys: JWK[]};
  /** Signs a JWT with exactly these claims. `typ` is its type (RFC 7515 4.1.9). */
  sign(claims: JWTPayload, typ?: string): Promise<string>;
  /** Puts another key in the place of this one. What was signed with it is good for nothing from then on. */
  renew(): Promise<void>;
};

/** A fresh RS256 key, good for one run of the sandbox (RFC 7518 3.3). */
export const createSigningKey = async ({padded}: {readonly padded: boolean}): Promise<SigningKey> => {
  let current = await newKey(padded);
  return {
    jwks: () => current.jwks,
    sign: (claims, typ = 'JWT') =>
      new SignJWT(claims).setProtectedHeader({alg: 'RS256', kid: current.kid, typ}).sign(current.privateKey),
    async renew() {
      current = await newKey(padded);
    },
  };
};

const newKey = async (padded: boolean) => {
  const {privateKey, publicKey} = await generateKeyPair('RS256', {extractable: true});
  const publicJwk = await exportJWK(publicKey);
  const thumbprint = await calculateJwkThumbprint(publicJwk);
  // A SHA-256 is 43 characters of base64url, and one of padding where a release writes that.
  const kid = padded ? `${thumbprint}=` : thumbprint;
  return {kid, privateKey, jwks: {keys: [{...publicJwk, kid, use: 'sig', alg: 'RS256'}]}};
};

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

/**
 * The refresh tokens of the platform, which are JWTs. The library's own are opaque, and are what these stand for.
 * Whoever reads one sees when it ends; what counts is what was given out, so that another key changes nothing.
 */
export type RefreshTokens = {
  /** The token that clients get for one of the library's: the same each time. `claimsOf` is asked once. */
  seal(opaque: string, claimsOf: (opaque: string) => Promise<JWTPayload>): Promise<string>;
  /** The library's token for one that a client sent; undefined for what was never given out. */
  open(sent: string): string | undefined;
};

/** More than anybody has. Past it the oldest is forgotten. */
const kept = 10_000;

export const createRefreshTokens = (key: SigningKey): RefreshTokens => {
  const sealed = new Map<string, string>();
  const opened = new Map<string, string>();
  return {
    async seal(opaque, claimsOf) {
      const known = sealed.get(opaque);
      if (known !== undefined) return known;
      const token = await key.sign(await claimsOf(opaque));
      sealed.set(opaque, token);
      opened.set(token, opaque);
      for (const [oldest, its] of sealed) {
        if (sealed.size <= kept) break;
        sealed.delete(oldest);
        opened.delete(its);
      }
      return token;
    },
    open: sent => opened.get(sent),
  };
};

/** An OAuth error answer on its way out (RFC 6749 5.2). */
export class OAuthFailure extends Error {
  override readonly name = 'OAuthFailure';
  readonly status: number;
  readonly code: string;
  readonly headers: OutgoingHttpHeaders;

  constructor(status: number, code: string, description: string, headers: OutgoingHttpHeaders = {}) {
    super(description);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Sends an OAuth error. Throws anything else on. */
export const sendOAuthFailure = (response: ServerResponse, error: unknown) => {
  if (!(error instanceof OAuthFailure)) throw error;
  sendJson(response, error.status, {error: error.code, error_description: error.message}, error.headers);
};
