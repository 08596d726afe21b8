import {type BaseDomain, isDomain} from './base-domain.ts';
import type {Layout, Platform, Service} from './platform.ts';

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
