import {certificateKey} from './certificate-key.ts';
import type {Effect} from './effect.ts';

/** Valid from 2026 to 2126, for the hosts below platform.localhost, openchoreo.localhost and acme.localhost. */
const certificate = `-----BEGIN CERTIFICATE-----
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

export const selfSigned: Effect = {certificate: {key: certificateKey, certificate}};
