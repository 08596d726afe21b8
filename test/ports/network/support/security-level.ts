/**
 * Whether OpenSSL refuses short keys and weak ciphers by itself: its level of security is 2 in Node 24, and 1 before,
 * whichever OpenSSL is in it.
 */
export const isStrict = Number.parseInt(process.versions.node, 10) >= 24;
