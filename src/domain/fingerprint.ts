/**
 * The SHA-256 of a text or of bytes. Node's crypto is loaded when one is asked for: it takes longer than all else that
 * `setup token` does, which seldom needs it, and the first screen needs none.
 */
export const sha256 = (content: string | Buffer, encoding: 'hex' | 'base64url' = 'hex'): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest(encoding);

/** Tells two tokens apart without being one: the first 12 hex digits of the SHA-256. */
export const fingerprintOf = (token: string): string => sha256(token).slice(0, 12);
