import {isLoopback} from '../ports/network/loopback.ts';
import type {NetworkSettings, ProxyPasswords} from '../ports/network/network-settings.ts';
import type {Ports} from '../ports/ports.ts';
import type {Context, CredentialsKey} from '../ports/storage.ts';

/** The way to a deployment as it was said or found, with the passwords that no context holds. */
export type KnownNetwork = {readonly settings: NetworkSettings; readonly passwords: ProxyPasswords};

/** As whose sign-in a proxy's password is kept: the proxy's, by how it is shown. */
const keyOf = (proxy: string): CredentialsKey => ({issuer: proxy, clientId: 'proxy'});

const proxiesOf = ({proxy}: NetworkSettings): readonly string[] =>
  typeof proxy === 'object' ? [...new Set([proxy.http, proxy.https].filter(one => one !== undefined))] : [];

/** A proxy wants a password only of somebody who is named. */
const isNamed = (proxy: string) => proxy.includes('@');

/** Has every call from here on take this way. Passwords that nobody said come from where they are kept. */
export const takeNetwork = async ({settings, passwords}: KnownNetwork, ports: Ports): Promise<void> => {
  const missing = proxiesOf(settings).filter(proxy => isNamed(proxy) && passwords[proxy] === undefined);
  const kept = await Promise.all(
    missing.map(async proxy => {
      const secret = (await ports.credentials.get(keyOf(proxy)))?.clientSecret;
      return secret === undefined ? [] : [[proxy, secret] as const];
    }),
  );
  ports.route.use(settings, {...Object.fromEntries(kept.flat()), ...passwords});
};

/** Keeps the passwords of the proxies that a context names, and forgets those of proxies that no context names now. */
export const keepProxyPasswords = async (
  context: Context,
  before: readonly Context[],
  {route, credentials}: Ports,
): Promise<void> => {
  const passwords = route.passwords();
  const named = proxiesOf(context.network ?? {});
  for (const proxy of named) {
    const password = passwords[proxy];
    if (password !== undefined) await credentials.replace(keyOf(proxy), {...keyOf(proxy), clientSecret: password});
  }
  const others = before.filter(({name}) => name !== context.name);
  const former = before.find(({name}) => name === context.name);
  await forgetProxyPasswords(former, [...others, context], credentials);
};

/** Forgets the passwords of the proxies of a context, but of those that one of `others` names too. */
export const forgetProxyPasswords = async (
  context: Context | undefined,
  others: readonly Context[],
  credentials: Ports['credentials'],
): Promise<void> => {
  const used = others.flatMap(({network = {}}) => proxiesOf(network));
  for (const proxy of proxiesOf(context?.network ?? {})) {
    if (isNamed(proxy) && !used.includes(proxy)) await credentials.replace(keyOf(proxy), undefined);
  }
};

/**
 * What is kept of the way to a deployment: nothing where all of it is on this machine, no authority and no client
 * certificate where nothing speaks TLS.
 */
export const networkToKeep = (
  urls: readonly string[],
  {proxy, authority, clientCertificate}: NetworkSettings,
): NetworkSettings | undefined => {
  const known = urls.map(url => new URL(url));
  const isAway = known.some(({hostname}) => !isLoopback(hostname));
  const isSecure = known.some(({protocol}) => protocol === 'https:');
  const kept: NetworkSettings = {
    ...(isAway && proxy !== undefined ? {proxy} : {}),
    ...(isSecure && authority ? {authority} : {}),
    ...(isSecure && clientCertificate ? {clientCertificate} : {}),
  };
  return Object.keys(kept).length > 0 ? kept : undefined;
};
