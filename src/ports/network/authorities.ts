import {getCACertificates} from 'node:tls';

/**
 * Certificates of the system's store beside Node's own and NODE_EXTRA_CA_CERTS, as a company's authority is often
 * installed only there. Reading them takes tens of milliseconds.
 */
export const trustedAuthorities = (): string[] => {
  const own = getCACertificates('default');
  try {
    return [...new Set([...own, ...getCACertificates('system')])];
  } catch {
    return own;
  }
};
