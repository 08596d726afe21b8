import {orByFlag} from '../../errors/error-row.ts';
import {SetupError} from '../../errors/errors.ts';
import {badPorts} from './bad-ports.ts';
import {isLoopback} from './loopback.ts';
import type {Route} from './route.ts';

export type NetworkPolicy = {
  /** Hosts that the person allowed to be called without TLS, besides loopback. */
  readonly allowHttp: readonly string[];
};

/** What was allowed at the start, with what is allowed for the platform that calls go to now. */
export const policyOf = (allowed: NetworkPolicy, route: Pick<Route, 'settings'>): NetworkPolicy => ({
  get allowHttp() {
    return [...allowed.allowHttp, ...(route.settings().allowHttp ?? [])];
  },
});

/**
 * Refuses an address that no call may go to: another scheme than http and https, user information in the URL, or plain
 * http to anything but loopback (RFC 6749 3.2, RFC 6750 5.3), unless the person allowed that host. And a port that
 * browsers and most assistants refuse (Fetch 2.9): what worked here would work nowhere else.
 *
 * @throws SetupError `input-invalid`, `network-insecure`, `network-bad-port`
 */
export const checkAddress = (url: URL, {allowHttp}: NetworkPolicy): void => {
  const about = {server: url.origin};
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new SetupError('input-invalid', `${url.protocol}// is not an address of a web service (${url.hostname}).`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new SetupError(
      'input-invalid',
      `The address of ${url.host} contains a username or password. Leave them out.`,
    );
  }
  if (badPorts.has(Number(url.port))) {
    throw new SetupError('network-bad-port', `Port ${url.port} of ${url.origin} is one that web clients refuse.`, {
      about,
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp.includes(url.hostname)) {
    throw new SetupError('network-insecure', `${url.origin} is not encrypted, so no token is sent there.`, {
      remedy: orByFlag(
        'Use https, or allow plain http for this host.',
        `To allow it, pass --allow-http ${url.hostname}.`,
      ),
      about: {...about, flag: 'allow-http'},
    });
  }
};
