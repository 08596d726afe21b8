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
  /** Returns the content of the JWKS endpoint (RFC 7517 5); a different object after each renewal. */
  jwks(): {readonly keys: JWK[]};
  /** Signs a JWT with exactly these claims. `typ` is its type (RFC 7515 4.1.9). */
  sign(claims: JWTPayload, typ?: string): Promise<string>;
  /** Replaces the key with another one. Everything signed with the old key is invalid from then on. */
  renew(): Promise<void>;
};

/** Creates a new RS256 key for one run of the sandbox (RFC 7518 3.3). */
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
  // A SHA-256 digest has 43 characters in base64url, plus one of padding in some releases.
  const kid = padded ? `${thumbprint}=` : thumbprint;
  return {kid, privateKey, jwks: {keys: [{...publicJwk, kid, use: 'sig', alg: 'RS256'}]}};
};

export type TokenVerdict =
  | {readonly kind: 'valid'; readonly claims: JWTPayload}
  /** Not signed with this provider's key, or expired, or not yet valid. */
  | {readonly kind: 'invalid-token'}
  /** The signature and the times are valid, but the token is from another issuer or for another audience. */
  | {readonly kind: 'invalid-claims'};

export type TokenVerifier = (token: string) => Promise<TokenVerdict>;

type Expected = {
  readonly issuer: string;
  /** Returns the audiences that are accepted at the moment; undefined if any audience is. */
  readonly audiences?: () => readonly string[] | undefined;
  /**
   * Returns the current difference between the clock with which tokens are judged and this machine's, in milliseconds.
   */
  readonly clockOffset: () => number;
};

/**
 * Returns a check for bearer tokens: signature (RS256 only), `exp`, `nbf`, then `iss`, and then `aud`, if audiences are
 * given: the token must contain one of them (RFC 9068 4, RFC 8725 3.1, 3.8 and 3.9).
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

/** Returns the token of an `Authorization: Bearer` header (RFC 6750 2.1); undefined if there is none. */
export const bearerOf = (authorization: string | undefined) => /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];

/**
 * The platform's refresh tokens: JWTs that stand for the library's opaque ones. A client can read the expiry from them.
 * They are recognised as issued tokens, not by their signature, so a new signing key does not invalidate them.
 */
export type RefreshTokens = {
  /**
   * Returns the client's token for one of the library's; the same each time. `claimsOf` is called only the first time.
   */
  seal(opaque: string, claimsOf: (opaque: string) => Promise<JWTPayload>): Promise<string>;
  /** Returns the library's token for one that a client sent; undefined if it was never issued. */
  open(sent: string): string | undefined;
};

/** More refresh tokens than a sandbox ever has. Beyond that, the oldest is forgotten. */
const MOST_TOKENS = 10_000;

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
        if (sealed.size <= MOST_TOKENS) break;
        sealed.delete(oldest);
        opened.delete(its);
      }
      return token;
    },
    open: sent => opened.get(sent),
  };
};

/** An OAuth error response (RFC 6749 5.2) as an exception. */
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

/** Sends an OAuth error. Rethrows any other error. */
export const sendOAuthFailure = (response: ServerResponse, error: unknown) => {
  if (!(error instanceof OAuthFailure)) throw error;
  sendJson(response, error.status, {error: error.code, error_description: error.message}, error.headers);
};
