import {calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT} from 'jose';

export type SigningKey = {
  /** The key with its private half, for the provider's own tokens. */
  readonly privateJwk: JWK;
  /** What the JWKS endpoint shows (RFC 7517 5). */
  readonly jwks: {readonly keys: JWK[]};
  /** Signs a JWT with exactly these claims. */
  sign(claims: JWTPayload): Promise<string>;
};

/** A fresh RS256 key, good for one run of the sandbox (RFC 7518 3.3). */
export const createSigningKey = async (): Promise<SigningKey> => {
  const {privateKey, publicKey} = await generateKeyPair('RS256', {extractable: true});
  const publicJwk = await exportJWK(publicKey);
  const names = {kid: await calculateJwkThumbprint(publicJwk), use: 'sig', alg: 'RS256'};
  return {
    privateJwk: {...(await exportJWK(privateKey)), ...names},
    jwks: {keys: [{...publicJwk, ...names}]},
    sign: claims => new SignJWT(claims).setProtectedHeader({alg: 'RS256', kid: names.kid, typ: 'JWT'}).sign(privateKey),
  };
};
