import {isIP, isIPv6} from 'node:net';
import {unescape as decoded} from 'node:querystring';
import {domainToASCII} from 'node:url';
import type {KeptProxies, NetworkSettings, ProxyPasswords} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Env} from '../ports.ts';
import {authorityOf, isLoopback, listOf, targetOf, unbracketed} from './route.ts';

/**
 * The protocols of proxies. With `socks4` and `socks5` names are looked up here, with `socks4a` and `socks5h` by the
 * proxy.
 */
const schemes = ['http', 'https', 'socks4', 'socks4a', 'socks5', 'socks5h'] as const;

export type NetworkProxy = {
  readonly scheme: (typeof schemes)[number];
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
};

/**
 * Returns the proxies that the environment names, as curl reads it: lower case first, by scheme, then for all schemes;
 * an empty value counts as unset. HTTP_PROXY is read too, although curl ignores it because of CGI scripts.
 */
export const proxiesIn = (env: Env) => {
  const first = (...names: readonly string[]) => {
    const name = names.find(one => env[one] !== undefined && env[one] !== '');
    return name === undefined ? undefined : {name, value: env[name] ?? ''};
  };
  const all = ['all_proxy', 'ALL_PROXY'];
  return {
    http: first('http_proxy', 'HTTP_PROXY', ...all),
    https: first('https_proxy', 'HTTPS_PROXY', ...all),
    except: first('no_proxy', 'NO_PROXY')?.value,
  };
};

/**
 * Parses a proxy's address as curl does: without a scheme it is `http`, without a port it is 1080, and 443 for `https`.
 * `socks` is `socks5`, as desktops use it.
 *
 * @throws SetupError `input-invalid`, which names the variable or flag in `from` but not its value
 */
export const parseProxy = (value: string, from: string): NetworkProxy => {
  const text = value.trim();
  const [, schemeName = 'http', rest = ''] = /^(?:([^:/]*):\/\/)?(.*)$/s.exec(text) ?? [];
  const named = schemeName.toLowerCase() === 'socks' ? 'socks5' : schemeName.toLowerCase();
  const scheme = schemes.find(one => one === named);
  // Parsed with a scheme that URLs do not know: otherwise they would drop the default port of the scheme.
  const url = URL.canParse(`proxy://${rest}`) ? new URL(`proxy://${rest}`) : undefined;
  // Such a scheme's host is not normalised, so names in other scripts and in capitals are converted here.
  const host =
    url && (isIP(unbracketed(url.hostname)) ? unbracketed(url.hostname) : domainToASCII(decoded(url.hostname)));
  // With a slash in the password, what precedes the slash would be read as host and port, and shown.
  const isCutShort = url && `${url.pathname}${url.search}${url.hash}`.includes('@');
  if (!scheme || !url || !host || isCutShort) {
    throw new SetupError('input-invalid', `${from} is not a valid proxy address.`, {
      remedy: isCutShort
        ? 'Percent-encode special characters in the username and password: %2F for a slash, %40 for an @.'
        : `Give it as http://HOST:PORT. Other schemes are ${schemes.slice(1).join(', ')}.`,
    });
  }
  const [username, password] = [decoded(url.username), decoded(url.password)];
  return {
    ...{scheme, host, port: Number(url.port) || (scheme === 'https' ? 443 : 1080)},
    ...(username === '' ? {} : {username}),
    ...(password === '' ? {} : {password}),
  };
};

/** Returns a proxy as it is shown and kept: never with its password. It can be parsed again. */
export const showProxy = (proxy: NetworkProxy): string => {
  const user = proxy.username === undefined ? '' : `${encodeURIComponent(proxy.username)}@`;
  return `${proxy.scheme}://${user}${authorityOf(proxy)}`;
};

/**
 * Returns the proxy for an address, if any; this machine is never reached through one.
 *
 * @throws SetupError `input-invalid` if the proxy's own address is not valid
 */
export const proxyFor = (
  url: URL,
  {proxy}: NetworkSettings,
  passwords: ProxyPasswords,
  env: Env,
): NetworkProxy | undefined => {
  if (proxy === 'none' || isLoopback(url.hostname)) return undefined;
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const isKept = proxy !== undefined && proxy !== 'environment';
  const {[scheme]: source, except} = isKept ? saidOf(proxy) : proxiesIn(env);
  if (!source || (except !== undefined && isException(url, except))) return undefined;
  const parsed = parseProxy(source.value, source.name);
  const password = isKept ? passwords[showProxy(parsed)] : undefined;
  return password === undefined ? parsed : {...parsed, password};
};

const saidOf = ({http, https, except}: KeptProxies): ReturnType<typeof proxiesIn> => {
  const source = (value: string | undefined) => (value === undefined ? undefined : {name: 'The saved proxy', value});
  return {http: source(http), https: source(https), except};
};

/** Returns the environment's proxies as they are kept, with the passwords separate; undefined if it names none. */
export const proxiesToSave = (env: Env): {proxies: KeptProxies; passwords: ProxyPasswords} | undefined => {
  const found = proxiesIn(env);
  return found.http || found.https ? withoutPasswords(found) : undefined;
};

/** Returns the same for one proxy that is used for all addresses, with the exceptions that the environment names. */
export const proxyToSave = (value: string, from: string, env: Env) => {
  const source = {name: from, value};
  return withoutPasswords({http: source, https: source, except: proxiesIn(env).except});
};

const withoutPasswords = ({http, https, except}: ReturnType<typeof proxiesIn>) => {
  const passwords: Record<string, string> = {};
  const show = ({name, value}: {readonly name: string; readonly value: string}) => {
    const proxy = parseProxy(value, name);
    if (proxy.password !== undefined) passwords[showProxy(proxy)] = proxy.password;
    return showProxy(proxy);
  };
  const proxies: KeptProxies = {
    ...(http ? {http: show(http)} : {}),
    ...(https ? {https: show(https)} : {}),
    ...(except === undefined ? {} : {except}),
  };
  return {proxies, passwords};
};

/**
 * Whether an address bypasses the proxy, as curl reads NO_PROXY: names and everything below them, with or without a
 * leading dot, `*` for all; addresses and networks in CIDR. Unlike with curl, a name may begin with `*.`, and an entry
 * may end with a port if only that port is meant.
 */
export const isException = (url: URL, list: string): boolean => {
  const {host, port} = targetOf(url);
  const entries = list.toLowerCase().split(/[,\s]+/);
  return entries.some(entry => {
    // A port follows brackets, or the only colon.
    const [, name = entry, only] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    return (only === undefined || only === String(port)) && isMatch(host.replace(/\.$/, ''), withoutBrackets(name));
  });
};

/** Removes brackets around an address, even if a network prefix follows. */
const withoutBrackets = (name: string) => name.replace(/^\[([^\]]*)\]/, '$1');

const isMatch = (host: string, name: string): boolean => {
  if (name === '*') return true;
  if (isIP(host) !== 0) return isIn(host, name);
  const bare = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return bare !== '' && (host === bare || host.endsWith(`.${bare}`));
};

const isIn = (address: string, network: string): boolean => {
  const [, base = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
  const most = isIPv6(base) ? 128 : 32;
  const prefix = Number(bits ?? most);
  return isIP(base) !== 0 && prefix <= most && listOf(`${base}/${prefix}`).has(address);
};

/**
 * Whether a proxy needs addresses, so that names are looked up here. `proxy` is its address, or its scheme with a
 * colon.
 */
export const isGivenAddresses = (proxy: string): boolean => /^socks[45]:/.test(proxy);
