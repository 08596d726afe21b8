import type {Context, KeptProxies, NetworkSettings, ProxyPasswords} from '../../domain/context.ts';
import type {CredentialsKey} from '../../domain/credentials.ts';
import {Secret} from '../../domain/secret.ts';
import {proxyToSave} from '../../ports/network/proxies.ts';
import {isLoopback, type Route} from '../../ports/network/route.ts';
import type {Ports} from '../../ports/ports.ts';

/** The network settings for a deployment, as given or found, with the passwords, which no context contains. */
export type KnownNetwork = Pick<Route, 'settings' | 'passwords'>;

/** The key under which a proxy's password is stored: the proxy itself, as it is shown. */
const proxyKeyOf = (proxy: string): CredentialsKey => ({issuer: proxy, clientId: 'proxy'});

const proxiesOf = ({proxy}: NetworkSettings): readonly string[] =>
  typeof proxy === 'object' ? [...new Set([proxy.http, proxy.https].filter(one => one !== undefined))] : [];

/**
 * Returns the ports that reach a deployment with these network settings. Passwords that were not given come from the
 * credentials, or else from `fallback`.
 */
export const portsWith = async (
  {settings, passwords}: KnownNetwork,
  ports: Ports,
  fallback: ProxyPasswords = {},
): Promise<Ports> => {
  const missing = proxiesOf(settings).filter(proxy => passwords[proxy] === undefined);
  const saved = await Promise.all(
    missing.map(async proxy => {
      const secret = (await ports.credentials.get(proxyKeyOf(proxy)))?.clientSecret;
      return secret === undefined ? [] : [[proxy, secret] as const];
    }),
  );
  return ports.withRoute({settings, passwords: {...fallback, ...Object.fromEntries(saved.flat()), ...passwords}});
};

/**
 * Parses the proxy that a person typed, which is used for every address. Returns the form in which it is stored, and
 * its password separately.
 *
 * @throws SetupError `input-invalid` if it is not the address of a proxy
 */
export const proxyFromAnswer = (
  text: string,
): {readonly proxy: KeptProxies; readonly passwords: Readonly<Record<string, Secret>>} => {
  const {proxies, passwords} = proxyToSave(text, 'The proxy', {});
  return {
    proxy: proxies,
    passwords: Object.fromEntries(Object.entries(passwords).map(([proxy, password]) => [proxy, new Secret(password)])),
  };
};

/** Whether a text is the address of a proxy. */
export const isProxyAddress = (text: string): boolean => {
  try {
    return proxyFromAnswer(text).proxy !== undefined;
  } catch {
    return false;
  }
};

/**
 * Stores the passwords of the proxies that a context names, and removes those of proxies that no context names any
 * more.
 */
export const keepProxyPasswords = async (
  context: Context,
  before: readonly Context[],
  {route, credentials}: Ports,
): Promise<void> => {
  const {passwords} = route;
  const named = proxiesOf(context.network ?? {});
  for (const proxy of named) {
    const password = passwords[proxy];
    if (password !== undefined)
      await credentials.replace(proxyKeyOf(proxy), {...proxyKeyOf(proxy), clientSecret: password});
  }
  const others = before.filter(({name}) => name !== context.name);
  const former = before.find(({name}) => name === context.name);
  await forgetProxyPasswords(former, [...others, context], credentials);
};

/** Stores the network settings in force with a saved context, and returns the context as it is stored now. */
export const keepNetwork = async (context: Context, ports: Ports): Promise<Context> => {
  const {network: _, ...rest} = context;
  const {contexts} = await ports.config.read();
  const network = networkToKeep(urlsOf(context), ports.route.settings);
  const withNetwork: Context = {...rest, ...(network ? {network} : {})};
  await keepProxyPasswords(withNetwork, contexts, ports);
  // Another process may have written entries since the context was read.
  await ports.config.saveContext(withNetwork, known => known);
  return withNetwork;
};

/** Returns every address of a deployment. */
export const urlsOf = ({
  controlPlaneUrl,
  authUrl,
  observerUrl,
}: Pick<Context, 'controlPlaneUrl' | 'authUrl' | 'observerUrl'>): readonly string[] => [
  controlPlaneUrl,
  authUrl,
  ...(observerUrl === undefined ? [] : [observerUrl]),
];

/** Removes the passwords of a context's proxies, except for proxies that one of `others` names too. */
export const forgetProxyPasswords = async (
  context: Context | undefined,
  others: readonly Context[],
  credentials: Ports['credentials'],
): Promise<void> => {
  const used = others.flatMap(({network = {}}) => proxiesOf(network));
  for (const proxy of proxiesOf(context?.network ?? {})) {
    if (used.includes(proxy)) continue;
    const isKept = await credentials.get(proxyKeyOf(proxy)).then(Boolean, () => true);
    if (isKept) await credentials.replace(proxyKeyOf(proxy), undefined);
  }
};

/**
 * Returns the network settings to store for a deployment: no proxy if all of it is on this machine, no authority and no
 * client certificate if nothing speaks TLS, and the allowed http hosts only if they are in use.
 */
export const networkToKeep = (
  urls: readonly string[],
  {proxy, authority, clientCertificate, allowHttp = []}: NetworkSettings,
): NetworkSettings | undefined => {
  const known = urls.map(url => new URL(url));
  const isAway = known.some(({hostname}) => !isLoopback(hostname));
  const proxies = typeof proxy === 'object' ? [proxy.http, proxy.https] : [];
  const isSecure = known.some(({protocol}) => protocol === 'https:') || proxies.some(one => one?.startsWith('https:'));
  const plain = allowHttp.filter(host =>
    known.some(({protocol, hostname}) => protocol === 'http:' && hostname === host),
  );
  const needed: NetworkSettings = {
    ...(isAway && proxy !== undefined ? {proxy} : {}),
    ...(isSecure && authority ? {authority} : {}),
    ...(isSecure && clientCertificate ? {clientCertificate} : {}),
    ...(plain.length > 0 ? {allowHttp: plain} : {}),
  };
  return Object.keys(needed).length > 0 ? needed : undefined;
};
