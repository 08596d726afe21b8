/**
 * True if OpenSSL refuses short keys and weak ciphers by default: its security level is 2 in Node 24, and 1 in
 * earlier versions, whichever OpenSSL they contain.
 */
export const isStrict = Number.parseInt(process.versions.node, 10) >= 24;
