import type {IncomingHttpHeaders} from 'node:http';
import {orByFlag} from '../../errors/error-row.ts';
import {type ErrorCode, SetupError} from '../../errors/errors.ts';
import {cleanText} from '../../text.ts';
import {ConnectionTimeout, codesOf, failureIn, tlsError} from './network-errors.ts';
import {type NetworkProxy, showProxy} from './proxies.ts';
import {authorityOf, targetOf} from './route.ts';

/** The header by which one proves oneself to a proxy (RFC 9110 11.7.2, RFC 7617). */
export const proxyAuthorization = ({username, password}: NetworkProxy): Readonly<Record<string, string>> =>
  username === undefined && password === undefined
    ? {}
    : {'proxy-authorization': `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`};

type Answer = {readonly status: number; readonly headers: IncomingHttpHeaders};

/** What a proxy's own answer means; undefined where it did what was asked of it. @param target host and port */
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

/** @param options where they have a cause, it is without the proxy's password */
export const failureOf = (
  proxy: NetworkProxy,
  code: ErrorCode,
  what: string,
  options?: ConstructorParameters<typeof SetupError>[2],
): SetupError => new SetupError(code, `The proxy ${showProxy(proxy)} ${what}.`, options);

/** What to do where a proxy does not reach what it was asked for. */
export const checkTarget = (target: string): string =>
  `Check that ${target} is right and running. If it is inside your network, add it to NO_PROXY.`;

/** What a proxy says that wants to know who asks (RFC 9110 15.5.8). */
const signInOf = (headers: IncomingHttpHeaders, proxy: NetworkProxy): SetupError => {
  const offered = [headers['proxy-authenticate'] ?? []].flat().join(', ');
  const schemes = ['Negotiate', 'NTLM', 'Digest', 'Kerberos'].filter(one =>
    new RegExp(`\\b${one}\\b`, 'i').test(offered),
  );
  if (schemes.length > 0 && !/\bBasic\b/i.test(offered)) {
    const what = `requires ${schemes.join(' or ')}, which platform-setup does not support (407)`;
    const remedy = orByFlag(
      'Run a local proxy that signs in for you, such as Px or Cntlm, and use that one.',
      'Pass it with --proxy URL.',
    );
    return failureOf(proxy, 'network-proxy-sign-in', what, {remedy, about: {flag: 'proxy'}});
  }
  return proxySignInRequired(proxy, ' (407)');
};

/** That a proxy requires a username and password, or others than these. */
export const proxySignInRequired = (proxy: NetworkProxy, status: string, cause?: Error): SetupError => {
  const {scheme, username, password} = proxy;
  const at = authorityOf(proxy);
  const hasNone =
    username === undefined ? 'requires a username and password' : `requires the password of ${cleanText(username)}`;
  const reason = password === undefined ? hasNone : 'rejected the username and password';
  return failureOf(proxy, 'network-proxy-sign-in', `${reason}${status}`, {
    ...(cause ? {cause} : {}),
    remedy: orByFlag('Sign in to the proxy.', `Pass --proxy ${scheme}://USER:PASSWORD@${at}.`),
    about: {flag: 'proxy'},
  });
};

/**
 * What a proxy answers in its own name to a request that was handed to it; undefined for the server's. Squid says so in
 * a header of its own, others by an `error` in the last member of RFC 9209, which is of whoever is next to us.
 */
export const refusalHandedOn = (answer: Answer, proxy: NetworkProxy, target: string): SetupError | undefined => {
  const {status, headers} = answer;
  const last = lastMember([headers['proxy-status'] ?? []].flat().join(', '));
  const isItsOwn = status === 407 || 'x-squid-error' in headers || /;\s*error\s*=/.test(last);
  return isItsOwn ? refusalIn(answer, proxy, target) : undefined;
};

/** More than all headers together have, in characters. */
const LONGEST = 32 * 1024;

/** The last member of a list (RFC 9651 3.1), without what stands in quotation marks in it, which is no part of its form. */
const lastMember = (list: string): string =>
  list
    .slice(0, LONGEST)
    .replaceAll(/"(?:[^"\\]|\\[\s\S]?)*"?/g, '')
    .split(',')
    .at(-1) ?? '';

/** There is no connection to a proxy. */
export const unreachableProxy = (proxy: NetworkProxy, cause: unknown): SetupError => {
  const codes = [...codesOf(cause)];
  const what = failureIn(codes)?.ofProxy ?? `cannot be reached (${codes[0]})`;
  return failureOf(proxy, 'network-proxy', what, {cause});
};

/** There is a connection to a proxy, and what came over it was no tunnel. */
export const brokenProxy = (proxy: NetworkProxy, cause: unknown): SetupError => {
  const say = (what: string) => failureOf(proxy, 'network-proxy', what, {cause});
  if (cause instanceof ConnectionTimeout) return say('did not open a connection in time');
  const codes = [...codesOf(cause)];
  const tls = tlsError(codes, `The proxy ${showProxy(proxy)}`, {cause});
  const isOther = failureIn(codes)?.code === 'network-wrong-scheme';
  return tls ?? say(isOther ? `does not speak ${proxy.scheme}` : `closed the connection (${codes[0]})`);
};

/** Whatever speaks something else than TLS behind a proxy, as its own pages do; undefined for other failures. */
export const pageForTunnel = (proxy: NetworkProxy, url: URL, cause: unknown): SetupError | undefined => {
  if (failureIn([...codesOf(cause)])?.code !== 'network-wrong-scheme') return undefined;
  const what = `let the call through to ${authorityOf(targetOf(url))}, but the answer from there is not https`;
  const remedy = `Open ${url.origin} in a browser: the proxy may show a page there. If it shows none, try http instead of https.`;
  return failureOf(proxy, 'network-proxy', what, {cause, remedy});
};
