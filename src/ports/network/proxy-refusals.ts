import type {IncomingHttpHeaders} from 'node:http';
import {type ErrorCode, SetupError} from '../../errors/errors.ts';
import {cleanText} from '../../text.ts';
import {ConnectionTimeout, codesOf, failureIn, tlsError} from './network-errors.ts';
import {type NetworkProxy, showProxy} from './proxies.ts';
import {authorityOf, targetOf} from './route.ts';

/** Returns the header that authenticates to a proxy (RFC 9110 11.7.2, RFC 7617). */
export const proxyAuthorization = ({username, password}: NetworkProxy): Readonly<Record<string, string>> =>
  username === undefined && password === undefined
    ? {}
    : {'proxy-authorization': `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`};

type Answer = {readonly status: number; readonly headers: IncomingHttpHeaders};

/**
 * Converts a proxy's own answer to an error; undefined if the proxy did what was requested.
 *
 * @param target host and port
 */
export const refusalIn = ({status, headers}: Answer, proxy: NetworkProxy, target: string) => {
  if (status >= 200 && status < 300) return undefined;
  if (status === 407) return signInOf(headers, proxy);
  if (status === 502 || status === 503 || status === 504) {
    const options = {remedy: checkTarget(target)};
    return failureOf(proxy, 'network-proxy', `could not reach ${target} (${status})`, options);
  }
  if (status >= 400 && status < 500) {
    return failureOf(proxy, 'network-proxy-denied', `does not let calls through to ${target} (${status})`);
  }
  return failureOf(proxy, 'network-proxy', `could not connect to ${target}: it answered ${status}`);
};

/**
 * Returns the error for a failure of a proxy.
 *
 * @param options their cause, if they have one, must not contain the proxy's password
 */
export const failureOf = (
  proxy: NetworkProxy,
  code: ErrorCode,
  what: string,
  options?: ConstructorParameters<typeof SetupError>[2],
): SetupError => new SetupError(code, `The proxy ${showProxy(proxy)} ${what}.`, options);

/** Returns the remedy if a proxy cannot reach the target. */
export const checkTarget = (target: string): string =>
  `Check that ${target} is right and running. If it is inside your network, add it to NO_PROXY.`;

/** Returns the error for a proxy that requires authentication (RFC 9110 15.5.8). */
const signInOf = (headers: IncomingHttpHeaders, proxy: NetworkProxy): SetupError => {
  const offered = [headers['proxy-authenticate'] ?? []].flat().join(', ');
  const schemes = ['Negotiate', 'NTLM', 'Digest', 'Kerberos'].filter(one =>
    new RegExp(`\\b${one}\\b`, 'i').test(offered),
  );
  if (schemes.length > 0 && !/\bBasic\b/i.test(offered)) {
    const what = `requires ${schemes.join(' or ')}, which platform-setup does not support (407)`;
    const remedy = {
      do: 'Run a local proxy that signs in for you, such as Px or Cntlm, and use that one.',
      flag: 'Pass it with --proxy URL.',
    };
    return failureOf(proxy, 'network-proxy-sign-in', what, {remedy, about: {flag: 'proxy'}});
  }
  return proxySignInRequired(proxy, ' (407)');
};

/** Returns the error for a proxy that requires a username and password, or other ones. */
export const proxySignInRequired = (proxy: NetworkProxy, status: string, cause?: Error): SetupError => {
  const {scheme, username, password} = proxy;
  const at = authorityOf(proxy);
  const hasNone =
    username === undefined ? 'requires a username and password' : `requires the password of ${cleanText(username)}`;
  const reason = password === undefined ? hasNone : 'rejected the username and password';
  return failureOf(proxy, 'network-proxy-sign-in', `${reason}${status}`, {
    ...(cause ? {cause} : {}),
    remedy: {do: 'Sign in to the proxy.', flag: `Pass --proxy ${scheme}://USER:PASSWORD@${at}.`},
    about: {flag: 'proxy'},
  });
};

/**
 * Returns the error for a proxy's own answer to a request that it was given to forward; undefined if the answer is the
 * server's. Squid marks its answers with a header, other proxies with an `error` in the last member of `Proxy-Status`
 * (RFC 9209), which the nearest proxy has added.
 */
export const refusalHandedOn = (answer: Answer, proxy: NetworkProxy, target: string): SetupError | undefined => {
  const {status, headers} = answer;
  const last = lastMember([headers['proxy-status'] ?? []].flat().join(', '));
  const isItsOwn = status === 407 || 'x-squid-error' in headers || /;\s*error\s*=/.test(last);
  return isItsOwn ? refusalIn(answer, proxy, target) : undefined;
};

/** More characters than all headers of an answer may have together. */
const LONGEST = 32 * 1024;

/** Returns the last member of a list (RFC 9651 3.1), without its quoted texts, which may contain separators. */
const lastMember = (list: string): string =>
  list
    .slice(0, LONGEST)
    .replaceAll(/"(?:[^"\\]|\\[\s\S]?)*"?/g, '')
    .split(',')
    .at(-1) ?? '';

/** Returns the error for a proxy that cannot be reached. */
export const unreachableProxy = (proxy: NetworkProxy, cause: unknown): SetupError => {
  const codes = [...codesOf(cause)];
  const what = failureIn(codes)?.ofProxy ?? `cannot be reached (${codes[0]})`;
  return failureOf(proxy, 'network-proxy', what, {cause});
};

/** Returns the error for a proxy that was reached but opened no tunnel. */
export const brokenProxy = (proxy: NetworkProxy, cause: unknown): SetupError => {
  const say = (what: string) => failureOf(proxy, 'network-proxy', what, {cause});
  if (cause instanceof ConnectionTimeout) return say('did not open a connection in time');
  const codes = [...codesOf(cause)];
  const tls = tlsError(codes, `The proxy ${showProxy(proxy)}`, {cause});
  const isOther = failureIn(codes)?.code === 'network-wrong-scheme';
  return tls ?? say(isOther ? `does not speak ${proxy.scheme}` : `closed the connection (${codes[0]})`);
};

/**
 * Returns the error if something behind a proxy does not speak TLS, such as the proxy's own pages; undefined for other
 * failures.
 */
export const pageForTunnel = (proxy: NetworkProxy, url: URL, cause: unknown): SetupError | undefined => {
  if (failureIn([...codesOf(cause)])?.code !== 'network-wrong-scheme') return undefined;
  const what = `let the call through to ${authorityOf(targetOf(url))}, but the answer from there is not https`;
  const remedy = `Open ${url.origin} in a browser: the proxy may show a page there. If it shows none, try http instead of https.`;
  return failureOf(proxy, 'network-proxy', what, {cause, remedy});
};
