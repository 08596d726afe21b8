import {SetupError} from '../errors/errors.ts';
import {refuseUserInfo} from '../errors/user-info.ts';
import type {Layout, Platform, Service} from './platform.ts';

/** A base domain as a person gives it: with the scheme and port of the gateway if they included them. */
export type BaseDomain = {
  readonly name: string;
  readonly scheme?: 'http' | 'https';
  readonly port?: number;
  /** True if https answers at the local ports, where plain http is usual for a platform on this machine. */
  readonly isServedOverTls?: boolean;
  /** The observer's address, if the person gave that: its port says nothing about the gateway's. */
  readonly observerUrl?: string;
};

const hostname = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Reads a base domain, or any address of the platform that was pasted instead: `acme.localhost`, `acme.localhost:80`,
 * `http://api.acme.localhost/health`. A scheme and a port are taken as they were written, even the scheme's default
 * port; missing parts are guessed. The path and a service's label are dropped.
 *
 * @param platforms the kinds of platform whose labels may precede the base domain
 * @throws SetupError `input-invalid`
 */
export const parseBaseDomain = (text: string, platforms: readonly Platform[]): BaseDomain => {
  const typed = text.trim().toLowerCase();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//.test(typed);
  const address = hasScheme ? typed : `http://${typed}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url) refuseUserInfo(url);
  if (!url || !isDomain(url.hostname) || !['http:', 'https:'].includes(url.protocol)) {
    const shown = text
      .trim()
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 100);
    throw new SetupError(
      'input-invalid',
      `“${shown}” is not a base domain. A base domain looks like acme.example.com.`,
      {
        remedy: {
          do: 'If the platform has no domain name, enter the addresses of its services instead.',
          flag: 'Pass them with --control-plane-url, --observer-url and --auth-url.',
        },
      },
    );
  }
  const {name, service} = withoutLabels(url.hostname, platforms);
  const scheme = hasScheme ? {scheme: url.protocol === 'https:' ? ('https' as const) : ('http' as const)} : {};
  if (service === 'observer') return {name, ...scheme, ...(hasScheme ? {observerUrl: url.origin} : {})};
  const port = portIn(address) ?? (hasScheme && service ? standardPort(url) : undefined);
  return {name, ...scheme, ...(port === undefined ? {} : {port})};
};

/** Returns the port as written: a URL drops the default port of its scheme. */
const portIn = (address: string): number | undefined => {
  const [, port] = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(address) ?? [];
  return port === undefined ? undefined : Number(port);
};

/** Returns the port of a whole address that names none: that of its scheme. */
const standardPort = ({protocol}: URL): number => (protocol === 'https:' ? 443 : 80);

/** Returns the base domain of a control plane's address; the bare host if that is not a domain name. */
export const baseDomainOf = (controlPlaneUrl: string, platforms: readonly Platform[]): BaseDomain => {
  const {hostname} = new URL(controlPlaneUrl);
  return isDomain(hostname) ? parseBaseDomain(controlPlaneUrl, platforms) : {name: hostname};
};

/** Whether a name can get labels in front of it, and is not an IP address. */
export const isDomain = (name: string): boolean => hostname.test(name) && !/^[\d.]+$/.test(name);

const withoutLabels = (host: string, platforms: readonly Platform[]) => {
  const prefixes = platforms.flatMap(({labels, observabilityLabel}) => [
    {prefix: `${labels.observer}.${observabilityLabel}.`, service: 'observer' as const},
    {prefix: `${labels.observer}.`, service: 'observer' as const},
    {prefix: `${labels['control-plane']}.`, service: 'control-plane' as const},
    {prefix: `${labels['identity-provider']}.`, service: 'identity-provider' as const},
  ]);
  const found = prefixes.find(({prefix}) => host.startsWith(prefix));
  return found ? {name: host.slice(found.prefix.length), service: found.service} : {name: host};
};

/**
 * An address at which a service may answer. `layout` is set for an observer's address only, because no other address
 * depends on it.
 */
export type CandidateAddress = {
  readonly service: Service;
  readonly url: string;
  readonly layout?: Layout;
  /** The exact issuer that the person named, if they did. */
  readonly issuer?: string;
};

/** Addresses that the person gave. They replace those derived from the base domain. */
export type GivenAddresses = {
  readonly controlPlaneUrl?: string;
  /** `none` if the person continues without an observer. */
  readonly observerUrl?: string;
  readonly authUrl?: string;
  /** The identity provider's issuer exactly as it writes it, including a trailing slash. */
  readonly issuer?: string;
};

/**
 * Returns every address worth a probe, by the platform's naming, the most likely of a service first: plain http and the
 * local ports for a name below `localhost`, https and its default port for any other, unless the person said otherwise.
 * If the person only said `http`, the default port of that scheme comes before the local one.
 *
 * @param layout the one that the person named, or `auto` to look for both
 */
export const candidatesOf = (
  platform: Platform,
  base: BaseDomain,
  typed: GivenAddresses = {},
  layout: Layout | 'auto' = 'auto',
): readonly CandidateAddress[] => {
  const at = (service: 'control-plane' | 'identity-provider', url: string | undefined): readonly CandidateAddress[] =>
    (url === undefined ? gatewaysOf(platform, service, base) : [url]).map(url => ({service, url}));
  return [
    ...at('control-plane', typed.controlPlaneUrl),
    ...at('identity-provider', typed.authUrl),
    ...observersOf(platform, typed.observerUrl ?? base.observerUrl, layout, base),
  ];
};

/** Whether a name is `localhost` or below it: such a platform is on this machine. */
const isLocal = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

/** Whether the scheme was not specified, and plain http is the more likely one. */
export const isTriedOverHttp = ({scheme, name, isServedOverTls = false}: BaseDomain): boolean =>
  scheme === undefined && isLocal(name) && !isServedOverTls;

const schemeOf = (base: BaseDomain) => base.scheme ?? (isTriedOverHttp(base) ? 'http' : 'https');

/** Returns the origins of a service below a base domain behind the gateway; none if the base domain is not a name. */
const gatewaysOf = (
  platform: Platform,
  service: 'control-plane' | 'identity-provider',
  base: BaseDomain,
): readonly string[] => originsOf(platform, `${platform.labels[service]}.${base.name}`, base);

/** Returns the origins at which the gateway may answer for a host. */
const originsOf = ({ports}: Platform, host: string, base: BaseDomain): readonly string[] => {
  if (!isDomain(base.name)) return [];
  const scheme = schemeOf(base);
  const local = base.scheme ? [80, ports.gateway] : [ports.gateway];
  const guessed = scheme === 'http' || base.isServedOverTls ? local : [443];
  return (base.port === undefined ? guessed : [base.port]).map(port => new URL(`${scheme}://${host}:${port}`).origin);
};

/** The path of a platform's company file on its base domain. */
export const COMPANY_FILE_PATH = '/.well-known/platform-setup.json';

/** Returns the possible addresses of a company file: at the gateway's own ports, on the base domain itself. */
export const companyFileUrlsOf = (platforms: readonly Platform[], base: BaseDomain): readonly URL[] => {
  const origins = new Set(platforms.flatMap(platform => originsOf(platform, base.name, base)));
  return [...origins].map(origin => new URL(COMPANY_FILE_PATH, origin));
};

/** Returns the address at which a platform's operators publish its company file. */
export const companyFileUrlOf = (platform: Platform, baseDomain: string): URL => {
  const [url] = companyFileUrlsOf([platform], parseBaseDomain(baseDomain, [platform]));
  if (!url) throw new Error('Every platform has a place for its company file.');
  return url;
};

/** Returns the address of the identity provider for a control plane that does not name it: behind the same gateway. */
export const identityProviderBeside = (
  platform: Platform,
  base: BaseDomain,
  controlPlaneUrl: string,
): string | undefined => {
  if (!isDomain(base.name)) return undefined;
  const {protocol, port} = new URL(controlPlaneUrl);
  return new URL(`${protocol}//${platform.labels['identity-provider']}.${base.name}${port ? `:${port}` : ''}`).origin;
};

const layouts: readonly Layout[] = ['single', 'multi'];

const observersOf = (
  platform: Platform,
  typed: string | undefined,
  wanted: Layout | 'auto',
  base: BaseDomain,
): readonly CandidateAddress[] => {
  if (typed === 'none') return [];
  if (typed !== undefined) {
    return [{service: 'observer', url: typed, layout: wanted === 'auto' ? layoutOf(platform, typed) : wanted}];
  }
  if (!isDomain(base.name)) return [];
  const {labels, observabilityLabel, ports} = platform;
  const scheme = schemeOf(base);
  return layouts
    .filter(layout => wanted === 'auto' || wanted === layout)
    .map(layout => {
      const plane = layout === 'multi' ? `${observabilityLabel}.` : '';
      const port = scheme === 'http' || base.isServedOverTls ? ports.observer[layout] : '';
      return {
        service: 'observer',
        layout,
        url: new URL(`${scheme}://${labels.observer}.${plane}${base.name}:${port}`).origin,
      };
    });
};

/** Returns the layout. In the multi-cluster one, the observer's host name has two labels before the base domain. */
const layoutOf = ({labels, observabilityLabel}: Platform, observerUrl: string): Layout =>
  new URL(observerUrl).hostname.startsWith(`${labels.observer}.${observabilityLabel}.`) ? 'multi' : 'single';
