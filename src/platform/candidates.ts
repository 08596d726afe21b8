import type {BaseDomain} from './base-domain.ts';
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
 */
export const candidatesOf = (
  platform: Platform,
  base: BaseDomain,
  given: GivenAddresses = {},
): readonly Candidate[] => {
  const {labels, observabilityLabel, ports} = platform;
  const local = base.name === 'localhost' || base.name.endsWith('.localhost');
  const scheme = base.scheme ?? (local ? 'http' : 'https');
  const at = (host: string, port: number | undefined) => new URL(`${scheme}://${host}:${port ?? ''}`).origin;
  const gateway = base.port ?? (scheme === 'http' ? ports.gateway : undefined);
  const observer = (layout: Layout): Candidate => {
    const label = layout === 'multi' ? `${labels.observer}.${observabilityLabel}` : labels.observer;
    const port = scheme === 'http' ? ports.observer[layout] : undefined;
    return {service: 'observer', layout, url: at(`${label}.${base.name}`, port)};
  };

  return [
    {service: 'control-plane', url: given.controlPlaneUrl ?? at(`${labels['control-plane']}.${base.name}`, gateway)},
    {service: 'identity-provider', url: given.authUrl ?? at(`${labels['identity-provider']}.${base.name}`, gateway)},
    ...observers(platform, given.observerUrl, observer),
  ];
};

const observers = (
  platform: Platform,
  given: string | undefined,
  derived: (layout: Layout) => Candidate,
): Candidate[] => {
  if (given === 'none') return [];
  if (given !== undefined) return [{service: 'observer', url: given, layout: layoutOf(platform, given)}];
  return [derived('single'), derived('multi')];
};

/** The multi-cluster layout shows in the observer's name: the plane has a label of its own. */
const layoutOf = ({labels, observabilityLabel}: Platform, observerUrl: string): Layout =>
  new URL(observerUrl).hostname.startsWith(`${labels.observer}.${observabilityLabel}.`) ? 'multi' : 'single';
