import {X509Certificate} from 'node:crypto';
import type {Addresses} from './addresses.ts';
import type {Certificate} from './http/loopback-listener.ts';
import {SandboxInputError} from './sandbox-input-error.ts';

/** Throws SandboxInputError when a certificate is not for these hosts: clients would refuse it for another reason than was asked for. */
export const certifiedFor = (addresses: Addresses, {certificate}: Certificate): void => {
  const parsed = new X509Certificate(certificate);
  for (const {url} of Object.values(addresses)) {
    const {hostname} = new URL(url);
    if (parsed.checkHost(hostname)) continue;
    throw new SandboxInputError(
      `The certificate of this fault is not for ${hostname}, but for ${parsed.subjectAltName}.`,
    );
  }
};

/** Whether whoever trusts a certificate gets on with it: not when it has expired. */
export const worthTrusting = ({certificate}: Certificate): boolean =>
  new X509Certificate(certificate).validToDate > new Date();
