import {calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT} from 'jose';

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
