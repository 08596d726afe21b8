/**
 * The SHA-256 of a text, as clients make it of their entries. The module for it is loaded when one is asked for, since the
 * first screen has the catalogue and needs none.
 */
export const sha256 = (text: string, encoding: 'hex' | 'base64url'): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest(encoding);
