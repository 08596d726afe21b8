import {type BaseDomain, isDomain} from './base-domain.ts';
import type {Layout, Platform, Service} from './platform.ts';

/** An address at which a service may answer. An observer's tells the layout. */
export type Candidate = {readonly service: Service; readonly url: string; readonly layout?: Layout};

/** Addresses that the person gave, which stand in the place of what the base domain would give. */
export type GivenAddresses = {
  readonly controlPlaneUrl?: string;
  /** `none` when the person goes on without an observer. */
  readonly observerUrl?: string;
  readonly authUrl?: string;
};

/**
 * Every address worth a probe, by the platform's naming: plain http and the local ports for a name below `localhost`,
 * https and its own port for any other, unless the person said otherwise.
 *
 * @param layout the one that the person named, or `auto` to look for both
 */
export const candidatesOf = (
  platform: Platform,
  base: BaseDomain,
  given: GivenAddresses = {},
  layout: Layout | 'auto' = 'auto',
): readonly Candidate[] => {
  const derive = derivation(platform, base);
  const controlPlane = given.controlPlaneUrl ?? derive?.('control-plane');
  const identityProvider = given.authUrl ?? derive?.('identity-provider');
  return [
    ...(controlPlane ? [{service: 'control-plane', url: controlPlane} as const] : []),
    ...(identityProvider ? [{service: 'identity-provider', url: identityProvider} as const] : []),
    ...observersOf(platform, given.observerUrl, layout, derive),
  ];
};

type Derive = (service: Service, layout?: Layout) => string;

/** How the platform names its hosts below a base domain; undefined for one that is no name. */
const derivation = ({labels, observabilityLabel, ports}: Platform, base: BaseDomain): Derive | undefined => {
  if (!isDomain(base.name)) return undefined;
  const local = base.name === 'localhost' || base.name.endsWith('.localhost');
  const scheme = base.scheme ?? (local ? 'http' : 'https');
  const plain = scheme === 'http';
  return (service, layout = 'single') => {
    const plane = service === 'observer' && layout === 'multi' ? `${observabilityLabel}.` : '';
    const gateway = base.port ?? (plain ? ports.gateway : undefined);
    const port = service !== 'observer' ? gateway : plain ? ports.observer[layout] : undefined;
    return new URL(`${scheme}://${labels[service]}.${plane}${base.name}:${port ?? ''}`).origin;
  };
};

const layouts: readonly Layout[] = ['single', 'multi'];

const observersOf = (
  platform: Platform,
  given: string | undefined,
  wanted: Layout | 'auto',
  derive: Derive | undefined,
): readonly Candidate[] => {
  if (given === 'none') return [];
  if (given !== undefined) {
    return [{service: 'observer', url: given, layout: wanted === 'auto' ? layoutOf(platform, given) : wanted}];
  }
  const sought = layouts.filter(layout => wanted === 'auto' || wanted === layout);
  return derive ? sought.map(layout => ({service: 'observer', layout, url: derive('observer', layout)})) : [];
};

/** The multi-cluster layout shows in the observer's name: the plane has a label of its own. */
const layoutOf = ({labels, observabilityLabel}: Platform, observerUrl: string): Layout =>
  new URL(observerUrl).hostname.startsWith(`${labels.observer}.${observabilityLabel}.`) ? 'multi' : 'single';
