import {certificateKey} from './certificate-key.ts';
import type {Effect} from './effect.ts';

/** Valid from 2024 to 2025, for the hosts below platform.localhost, openchoreo.localhost and acme.localhost. */
const certificate = `-----BEGIN CERTIFICATE-----
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

export const expiredCertificate: Effect = {certificate: {key: certificateKey, certificate}};
