/**
 * Whether OpenSSL refuses short keys and weak ciphers by itself: its level of security is 2 from 3.2 on, which Node has from
 * 24 on, and 1 before.
 */
export const isStrict = Number(process.versions.openssl.split('.').slice(0, 2).join('.')) >= 3.2;
