import type {ErrorCode} from './errors.ts';

/**
 * Returns the error code for an HTTP status outside 2xx in answer to a token (RFC 9110 15), for callers without more
 * specific knowledge, such as an endpoint's own words or a time to wait (`busyError`). So one status has the same code
 * everywhere.
 */
export const codeOfStatus = (status: number): ErrorCode => {
  if (status >= 300 && status < 400) return 'network-redirected';
  if (status === 401) return 'auth-token-refused';
  if (status === 403) return 'auth-permission-missing';
  if (noEndpoint.has(status)) return 'platform-no-such-endpoint';
  if (status === 503) return 'platform-unhealthy';
  return status >= 500 ? 'platform-error' : 'platform-rejected';
};

/** The path does not exist, does not take this method or is gone, or the host is not one of this server. */
const noEndpoint: ReadonlySet<number> = new Set([404, 405, 410, 421]);
