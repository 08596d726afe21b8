import {SetupError} from '../../../errors/errors.ts';
import {ConnectionTimeout} from '../connections/patience.ts';
import {authorityOf, targetOf} from '../connections/target.ts';
import {codesOf, isOtherProtocol, nameNotFound} from '../network-errors.ts';
import {tlsError} from '../tls/tls-errors.ts';
import {type NetworkProxy, showProxy} from './proxies.ts';

const sayOf = (proxy: NetworkProxy, cause: unknown) => (what: string, remedy?: string) =>
  new SetupError('network-proxy', `The proxy ${showProxy(proxy)} ${what}.`, remedy ? {cause, remedy} : {cause});

/** There is no connection to a proxy. */
export const unreachableProxy = (proxy: NetworkProxy, cause: unknown): SetupError => {
  const say = sayOf(proxy, cause);
  const codes = [...codesOf(cause)];
  if (cause instanceof ConnectionTimeout && cause.part === 'name') return say('could not be resolved in time');
  if (codes.some(code => nameNotFound.includes(code))) return say('could not be resolved');
  if (codes.includes('ECONNREFUSED')) return say('is not running: nothing is listening there');
  if (codes.includes('ETIMEDOUT')) return say('did not answer in time');
  return say(`cannot be reached (${codes[0]})`);
};

/** There is a connection to a proxy, and what came over it was no tunnel. */
export const brokenProxy = (proxy: NetworkProxy, cause: unknown): SetupError => {
  const say = sayOf(proxy, cause);
  if (cause instanceof ConnectionTimeout) return say('did not open a connection in time');
  const codes = [...codesOf(cause)];
  const tls = tlsError(codes, `The proxy ${showProxy(proxy)}`, {cause});
  if (tls) return tls;
  return isOtherProtocol(codes) ? say(`does not speak ${proxy.scheme}`) : say(`closed the connection (${codes[0]})`);
};

/**
 * What a proxy opened speaks something else than TLS. Some answer with a page of their own as if it were the server's.
 * Undefined where it was something else.
 */
export const pageForTunnel = (proxy: NetworkProxy, url: URL, cause: unknown): SetupError | undefined => {
  if (!isOtherProtocol([...codesOf(cause)])) return undefined;
  return sayOf(proxy, cause)(
    `let the call through to ${authorityOf(targetOf(url))}, but what answered does not speak https`,
    `Open ${url.origin} in a browser: the proxy may show a page there. If it shows none, try http instead of https.`,
  );
};
