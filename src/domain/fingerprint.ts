/**
 * Returns the SHA-256 of a text or of bytes. Node's crypto is loaded on first use: loading it takes longer than
 * everything else that `setup token` does. A plain `setup token` and the first screen need no digest.
 */
export const sha256 = (content: string | Buffer, encoding: 'hex' | 'base64url' = 'hex'): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest(encoding);

/** Returns the first 12 hex digits of a token's SHA-256: enough to distinguish two tokens, and useless as a token. */
export const fingerprintOf = (token: string): string => sha256(token).slice(0, 12);
