/**
 * The SHA-256 of a text or of bytes, as clients make it of their entries. The module for it is loaded when one is asked
 * for, since the first screen has the catalogue and needs none.
 */
export const sha256 = (content: string | Buffer, encoding: 'hex' | 'base64url' = 'hex'): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest(encoding);
