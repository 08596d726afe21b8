import type {Layout, Platform, Service} from '../platform/platform.ts';
import {SandboxInputError} from './sandbox-input-error.ts';

/** Where a service of the sandbox answers. */
export type Address = {
  /** Scheme, host and port; no trailing slash. */
  readonly url: string;
  /** The `Host` headers that name it. */
  readonly hosts: readonly string[];
};

export type Addresses = {readonly [S in Service]: Address};

export type Deployment = {
  readonly platform: Pick<Platform, 'labels' | 'observabilityLabel'>;
  readonly scheme: 'http' | 'https';
  readonly layout: Layout;
  readonly baseDomain: string;
  readonly ports: {readonly gateway: number; readonly observer: number};
};

/** The addresses of a deployment, platform access section 1. Throws SandboxInputError when there is no URL with the base domain. */
export const addressesOf = ({platform, scheme, layout, baseDomain, ports}: Deployment): Addresses => {
  // Nothing but a host fits between a label and a port. A path or the like would make a URL too, but another one.
  const url = URL.parse(`http://label.${baseDomain}:1`);
  if (!baseDomain || url?.href !== `http://${url?.hostname}:1/`) {
    throw new SandboxInputError(`${JSON.stringify(baseDomain)} cannot be the base domain of a URL.`);
  }
  const {labels, observabilityLabel} = platform;
  const observer = layout === 'multi' ? `${labels.observer}.${observabilityLabel}` : labels.observer;
  return {
    'control-plane': address(scheme, `${labels['control-plane']}.${baseDomain}`, ports.gateway),
    'identity-provider': address(scheme, `${labels['identity-provider']}.${baseDomain}`, ports.gateway),
    observer: address(scheme, `${observer}.${baseDomain}`, ports.observer),
  };
};

const address = (scheme: string, hostname: string, port: number): Address => {
  const {origin, host, hostname: canonical} = new URL(`${scheme}://${hostname}:${port}`);
  // Clients leave the scheme's own port out of `Host`, but they may send it (RFC 9110 7.2).
  return {url: origin, hosts: [...new Set([host, `${canonical}:${port}`])]};
};
