import type {ErrorCode} from './errors.ts';

/**
 * What an HTTP status outside 2xx means to whoever sent a token (RFC 9110 15), where nobody knows it better: an endpoint by
 * its own words, `busyError` by a time to wait. One status has one name, whoever meets it.
 */
export const codeOfStatus = (status: number): ErrorCode => {
  if (status >= 300 && status < 400) return 'network-redirected';
  if (status === 401) return 'auth-token-refused';
  if (status === 403) return 'auth-permission-missing';
  if (noEndpoint.has(status)) return 'platform-no-such-endpoint';
  if (status === 503) return 'platform-unhealthy';
  return status >= 500 ? 'platform-error' : 'platform-rejected';
};

/** Not there, not for this method, entry missing, or at a host that this server is not. */
const noEndpoint: ReadonlySet<number> = new Set([404, 405, 410, 421]);
