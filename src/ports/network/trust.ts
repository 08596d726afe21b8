import {readFileSync} from 'node:fs';
import {type ConnectionOptions, getCACertificates} from 'node:tls';
import {SetupError} from '../../errors.ts';
import type {Env} from '../ports.ts';
import type {NetworkSettings} from './network-settings.ts';

/**
 * What a server has to prove itself by, and what this machine proves itself with. Trusted alike are Node's own
 * certificates with NODE_EXTRA_CA_CERTS, the system's store, SSL_CERT_FILE, and what is kept with the deployment. Reading
 * them takes tens of milliseconds. Every connection checks, whatever NODE_TLS_REJECT_UNAUTHORIZED says.
 *
 * @param system the system's store, where it was read anew
 * @throws SetupError `input-invalid` for a file of the deployment's that cannot be read
 */
export const securityOf = (
  {authority, clientCertificate}: NetworkSettings,
  env: Env,
  system?: readonly string[],
): ConnectionOptions => {
  const kept = !authority
    ? []
    : ['pem' in authority ? authority.pem : read(authority.file, 'certificate of an authority')];
  return {
    ca: [...machineAuthorities(env, system ?? systemAuthorities()), ...kept],
    // A server that shows no more than its own certificate can be trusted by that alone.
    allowPartialTrustChain: kept.length > 0,
    rejectUnauthorized: true,
    ...(clientCertificate && {
      cert: read(clientCertificate.certificate, 'client certificate'),
      key: read(clientCertificate.key, 'key of the client certificate'),
    }),
  };
};

const machineAuthorities = (env: Env, system: readonly string[]): readonly string[] => {
  const file = env.SSL_CERT_FILE;
  // The variable is other programs' as well, so what it names may be of no use here.
  const extra = file === undefined || file === '' ? [] : tryRead(file);
  return [...new Set([...getCACertificates('default'), ...system, ...extra])];
};

const systemAuthorities = (): readonly string[] => {
  try {
    return getCACertificates('system');
  } catch {
    return [];
  }
};

const tryRead = (file: string): readonly string[] => {
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
};

const read = (file: string, what: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SetupError('input-invalid', `The ${what} at ${file} cannot be read.`, {cause: error});
  }
};
