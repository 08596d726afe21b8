import type {ServerCertificate} from './http-server.ts';

/**
 * The key of the certificates of `self-signed` and `expired-certificate` (P-256). It is no secret, and of no use to an
 * attacker: both certificates are leaf certificates for names below `localhost` only.
 */
const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHpjhDfvmO+k4JY3r
hQBgf8gr+vBbdl6yc2yZsReupUOhRANCAAR+6Xj8u3apeuE1yy0jwznZB0E/pVTt
9x4Y7PuMacII7TSoRgrJkoCHdgf9DlO3DOcEsseAigJWQXxqALOyEO5C
-----END PRIVATE KEY-----
`;

/** Valid from 2024 to 2025, for the hosts below platform.localhost, openchoreo.localhost and acme.localhost. */
const expiredPem = `-----BEGIN CERTIFICATE-----
MIICVjCCAf2gAwIBAgIRAOh8njoImS7aPkK4n/qsQ4kwCgYIKoZIzj0EAwIwJDEi
MCAGA1UEAwwZU2FuZGJveCBwbGF0Zm9ybSwgZXhwaXJlZDAeFw0yNDAxMDEwMDAw
MDBaFw0yNTAxMDEwMDAwMDBaMCQxIjAgBgNVBAMMGVNhbmRib3ggcGxhdGZvcm0s
IGV4cGlyZWQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR+6Xj8u3apeuE1yy0j
wznZB0E/pVTt9x4Y7PuMacII7TSoRgrJkoCHdgf9DlO3DOcEsseAigJWQXxqALOy
EO5Co4IBDjCCAQowDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0l
BAwwCgYIKwYBBQUHAwEwgbUGA1UdEQSBrTCBqoIUKi5wbGF0Zm9ybS5sb2NhbGhv
c3SCIioub2JzZXJ2YWJpbGl0eS5wbGF0Zm9ybS5sb2NhbGhvc3SCFioub3BlbmNo
b3Jlby5sb2NhbGhvc3SCJCoub2JzZXJ2YWJpbGl0eS5vcGVuY2hvcmVvLmxvY2Fs
aG9zdIIQKi5hY21lLmxvY2FsaG9zdIIeKi5vYnNlcnZhYmlsaXR5LmFjbWUubG9j
YWxob3N0MB0GA1UdDgQWBBS9ssYNqEUKgeSF9O4Gs6CEek2fQzAKBggqhkjOPQQD
AgNHADBEAiB2F39h3Evq50xxGTCh/g5IhYaZLp7pX6jDdRFZh3zNOQIgGufTpdVg
cF/UeWZuBbUIry2zu0XzYG1LeJYVVQBrmN4=
-----END CERTIFICATE-----
`;

export const expiredCertificate: ServerCertificate = {key: certificateKey, certificate: expiredPem};

/** Valid from 2026 to 2126, for the hosts below platform.localhost, openchoreo.localhost and acme.localhost. */
const selfSignedPem = `-----BEGIN CERTIFICATE-----
MIICRzCCAe2gAwIBAgIRAPoDCUbMHmg8gCyq0B7IRYowCgYIKoZIzj0EAwIwGzEZ
MBcGA1UEAwwQU2FuZGJveCBwbGF0Zm9ybTAgFw0yNjAxMDEwMDAwMDBaGA8yMTI2
MDEwMTAwMDAwMFowGzEZMBcGA1UEAwwQU2FuZGJveCBwbGF0Zm9ybTBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABH7pePy7dql64TXLLSPDOdkHQT+lVO33Hhjs+4xp
wgjtNKhGCsmSgId2B/0OU7cM5wSyx4CKAlZBfGoAs7IQ7kKjggEOMIIBCjAMBgNV
HRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDATBgNVHSUEDDAKBggrBgEFBQcDATCB
tQYDVR0RBIGtMIGqghQqLnBsYXRmb3JtLmxvY2FsaG9zdIIiKi5vYnNlcnZhYmls
aXR5LnBsYXRmb3JtLmxvY2FsaG9zdIIWKi5vcGVuY2hvcmVvLmxvY2FsaG9zdIIk
Ki5vYnNlcnZhYmlsaXR5Lm9wZW5jaG9yZW8ubG9jYWxob3N0ghAqLmFjbWUubG9j
YWxob3N0gh4qLm9ic2VydmFiaWxpdHkuYWNtZS5sb2NhbGhvc3QwHQYDVR0OBBYE
FL2yxg2oRQqB5IX07gazoIR6TZ9DMAoGCCqGSM49BAMCA0gAMEUCIQDBWae0vgtW
iSRcAzzGGfpvP16v40kjiuKIIyg3LbK78gIgWT+7FqMUQ0dyz25cg4qfnRoZWPFV
lKNoUk5vEj+BCIc=
-----END CERTIFICATE-----
`;

export const selfSignedCertificate: ServerCertificate = {key: certificateKey, certificate: selfSignedPem};
