import {orByFlag} from '../errors/error-row.ts';
import {SetupError} from '../errors/errors.ts';
import type {Layout, Platform, Service} from './platform.ts';

/** A base domain as a person gives it: with the scheme and port of the gateway where they said so. */
export type BaseDomain = {
  readonly name: string;
  readonly scheme?: 'http' | 'https';
  readonly port?: number;
  /** Whether https answers where plain http is usual: at the local ports, of a platform on this machine. */
  readonly isServedOverTls?: boolean;
  /** The observer's address, where that is what was given: its port says nothing of the gateway's. */
  readonly observerUrl?: string;
};

const hostname = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Reads a base domain, or any address of the platform that was pasted in its place: `acme.localhost`,
 * `acme.localhost:80`, `http://api.acme.localhost/health`. What was written is taken by its letter, a port that is the
 * scheme's own included; only what was left out is left to guess.
 *
 * @param platforms the kinds of platform whose labels may stand in front of it
 * @throws SetupError `input-invalid`
 */
export const parseBaseDomain = (text: string, platforms: readonly Platform[]): BaseDomain => {
  const given = text.trim().toLowerCase();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//.test(given);
  const address = hasScheme ? given : `http://${given}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.username !== '' || url.password !== '')) {
    throw new SetupError('input-invalid', 'Leave the username and password out of the address.');
  }
  if (!url || !isDomain(url.hostname) || !['http:', 'https:'].includes(url.protocol)) {
    const shown = text
      .trim()
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 100);
    throw new SetupError(
      'input-invalid',
      `“${shown}” is not a base domain. A base domain looks like acme.example.com.`,
      {
        remedy: orByFlag(
          'If the platform has no domain name, enter the addresses of its services instead.',
          'Pass them with --control-plane-url, --observer-url and --auth-url.',
        ),
      },
    );
  }
  const {name, service} = withoutLabels(url.hostname, platforms);
  const scheme = hasScheme ? {scheme: url.protocol === 'https:' ? ('https' as const) : ('http' as const)} : {};
  if (service === 'observer') return {name, ...scheme, ...(hasScheme ? {observerUrl: url.origin} : {})};
  const port = portIn(address) ?? (hasScheme && service ? standardPort(url) : undefined);
  return {name, ...scheme, ...(port === undefined ? {} : {port})};
};

/** The port as it is written: a URL drops the one that is its scheme's own. */
const portIn = (address: string): number | undefined => {
  const [, port] = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(address) ?? [];
  return port === undefined ? undefined : Number(port);
};

/** A whole address without a port means its scheme's. */
const standardPort = ({protocol}: URL): number => (protocol === 'https:' ? 443 : 80);

/** The base domain in a control plane's address; its bare host where that is no name with labels. */
export const baseDomainOf = (controlPlaneUrl: string, platforms: readonly Platform[]): BaseDomain => {
  const {hostname} = new URL(controlPlaneUrl);
  return isDomain(hostname) ? parseBaseDomain(controlPlaneUrl, platforms) : {name: hostname};
};

/** A name that labels can be put in front of: no IP address. */
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

/** An address at which a service may answer. An observer's tells the layout. */
export type Candidate = {
  readonly service: Service;
  readonly url: string;
  readonly layout?: Layout;
  /** The issuer that it has to be, to the letter, where the person said so. */
  readonly issuer?: string;
};

/** Addresses that the person gave, which stand in the place of what the base domain would give. */
export type GivenAddresses = {
  readonly controlPlaneUrl?: string;
  /** `none` when the person goes on without an observer. */
  readonly observerUrl?: string;
  readonly authUrl?: string;
  /** The identity provider’s issuer as it writes it, with its slash at the end where it has one. */
  readonly issuer?: string;
};

/**
 * Every address worth a probe, by the platform's naming, the likeliest of a service first: plain http and the local ports
 * for a name below `localhost`, https and its own port for any other, unless the person said otherwise. Where only
 * `http` was said, that scheme's own port comes before the local one.
 *
 * @param layout the one that the person named, or `auto` to look for both
 */
export const candidatesOf = (
  platform: Platform,
  base: BaseDomain,
  given: GivenAddresses = {},
  layout: Layout | 'auto' = 'auto',
): readonly Candidate[] => {
  const at = (service: 'control-plane' | 'identity-provider', url: string | undefined): readonly Candidate[] =>
    (url === undefined ? gatewaysOf(platform, service, base) : [url]).map(url => ({service, url}));
  return [
    ...at('control-plane', given.controlPlaneUrl),
    ...at('identity-provider', given.authUrl),
    ...observersOf(platform, given.observerUrl ?? base.observerUrl, layout, base),
  ];
};

/** Below `localhost` a platform is on this machine. */
const isLocal = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

/** Whether nobody said which scheme it is, and plain http is the likelier one. */
export const isTriedOverHttp = ({scheme, name, isServedOverTls = false}: BaseDomain): boolean =>
  scheme === undefined && isLocal(name) && !isServedOverTls;

const schemeOf = (base: BaseDomain) => base.scheme ?? (isTriedOverHttp(base) ? 'http' : 'https');

/** How the platform names its hosts below a base domain behind the gateway; nothing for one that is no name. */
const gatewaysOf = (
  platform: Platform,
  service: 'control-plane' | 'identity-provider',
  base: BaseDomain,
): readonly string[] => originsOf(platform, `${platform.labels[service]}.${base.name}`, base);

/** Where the gateway may answer for a host. */
const originsOf = ({ports}: Platform, host: string, base: BaseDomain): readonly string[] => {
  if (!isDomain(base.name)) return [];
  const scheme = schemeOf(base);
  const local = base.scheme ? [80, ports.gateway] : [ports.gateway];
  const guessed = scheme === 'http' || base.isServedOverTls ? local : [443];
  return (base.port === undefined ? guessed : [base.port]).map(port => new URL(`${scheme}://${host}:${port}`).origin);
};

/** Where a base domain has the company file of its platform. */
export const COMPANY_FILE_PATH = '/.well-known/platform-setup.json';

/** Where the company file of a base domain may be: at the gateway's own ports, on the base domain itself. */
export const companyFileUrlsOf = (platforms: readonly Platform[], base: BaseDomain): readonly URL[] => {
  const origins = new Set(platforms.flatMap(platform => originsOf(platform, base.name, base)));
  return [...origins].map(origin => new URL(COMPANY_FILE_PATH, origin));
};

/** Where the identity provider is next to a control plane that says nothing of it: behind the same gateway. */
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
  given: string | undefined,
  wanted: Layout | 'auto',
  base: BaseDomain,
): readonly Candidate[] => {
  if (given === 'none') return [];
  if (given !== undefined) {
    return [{service: 'observer', url: given, layout: wanted === 'auto' ? layoutOf(platform, given) : wanted}];
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

/** The multi-cluster layout shows in the observer's name: the plane has a label of its own. */
const layoutOf = ({labels, observabilityLabel}: Platform, observerUrl: string): Layout =>
  new URL(observerUrl).hostname.startsWith(`${labels.observer}.${observabilityLabel}.`) ? 'multi' : 'single';
