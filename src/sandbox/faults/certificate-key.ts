/**
 * The key of the certificates of `self-signed` and `expired-certificate` (P-256). It is no secret, and is good for
 * nothing: both certificates are leaves, for names below `localhost` only.
 */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHpjhDfvmO+k4JY3r
hQBgf8gr+vBbdl6yc2yZsReupUOhRANCAAR+6Xj8u3apeuE1yy0jwznZB0E/pVTt
9x4Y7PuMacII7TSoRgrJkoCHdgf9DlO3DOcEsseAigJWQXxqALOyEO5C
-----END PRIVATE KEY-----
`;
