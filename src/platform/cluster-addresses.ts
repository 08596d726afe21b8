import type {GivenAddresses} from './addresses.ts';
import {type BaseDomain, isDomain, parseBaseDomain} from './addresses.ts';
import type {Platform, Service} from './platform.ts';

/** The parts of an HTTPRoute of the Gateway API that show the host of a service. */
export type HttpRoute = {readonly name: string; readonly namespace: string; readonly hostnames: readonly string[]};

/** The facts about a platform that were read from a cluster. */
export type ClusterReadings = {
  readonly routes: readonly HttpRoute[];
  /** The values of the Helm release, defaults included; absent if they could not be read. */
  readonly values?: unknown;
};

export type ClusterAddresses = {readonly baseDomain: BaseDomain; readonly addresses: GivenAddresses};

/**
 * Returns the addresses of a platform from its cluster: the host from the control plane's route, which has one name in
 * every release, otherwise from the values of the Helm release; scheme and port from these values. Undefined if the
 * cluster does not name the host.
 */
export const clusterAddressesOf = (
  platform: Platform,
  {routes, values}: ClusterReadings,
): ClusterAddresses | undefined => {
  const fromValues = readValues(platform, values);
  const routed = hostOf(platform, 'control-plane', routes);
  const host =
    routed ??
    fromValues.controlPlane?.hostname ??
    fromValues.hosts[0] ??
    labelled(platform, 'control-plane', fromValues.baseDomain);
  if (host === undefined || !isDomain(host)) return undefined;

  const gateway = gatewayOf(fromValues, host);
  const label = `${platform.labels['control-plane']}.`;
  const name = host.startsWith(label) ? host.slice(label.length) : host;
  const baseDomain: BaseDomain = {name, ...gateway};
  const controlPlane = host === name ? {controlPlaneUrl: addressAt(host, gateway, platform.ports.gateway)} : {};
  const observer = hostOf(platform, 'observer', routes);
  const isDerived = observer !== undefined && parseBaseDomain(observer, [platform]).name === name;
  const port = platform.ports.observer.single;
  return {
    baseDomain,
    addresses: {
      ...controlPlane,
      ...(observer === undefined || isDerived
        ? {}
        : {observerUrl: addressAt(observer, gateway.scheme ? {scheme: gateway.scheme} : {}, port)}),
    },
  };
};

/**
 * Returns the host of a service from its routes: the one that begins with the service's label, because some routes also
 * name the cluster's own hosts; otherwise the first that can be reached from outside.
 */
const hostOf = ({cluster, labels}: Platform, service: Service, routes: readonly HttpRoute[]): string | undefined => {
  const known = cluster.routes[service];
  const hosts = routes
    .filter(({name, namespace}) => known.some(route => route.name === name && route.namespace === namespace))
    .flatMap(({hostnames}) => hostnames)
    .map(host => host.toLowerCase())
    .filter(isDomain);
  return hosts.find(host => host.startsWith(`${labels[service]}.`)) ?? hosts.find(host => !host.endsWith('.internal'));
};

type Said = {
  readonly baseDomain?: string;
  readonly port?: number;
  readonly isTls?: boolean;
  readonly controlPlane?: URL;
  readonly hosts: readonly string[];
  readonly issuer?: URL;
};

const readValues = ({cluster: {values: keys}}: Platform, values: unknown): Said => {
  const at = (dotted: string): unknown =>
    dotted
      .split('.')
      .reduce<unknown>(
        (value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key] ?? undefined,
        values,
      );
  const url = (value: unknown) =>
    typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  const [baseDomain, hosts, tls] = [at(keys.baseDomain), at(keys.controlPlaneHosts), at(keys.tls)];
  // Some releases write the port after the domain, others into a value of its own.
  const [domain = '', ownPort] = typeof baseDomain === 'string' ? baseDomain.toLowerCase().split(':') : [];
  const port = Number(ownPort ?? String(at(keys.port) ?? '').replace(/^:/, ''));
  const [controlPlane, issuer] = [url(at(keys.controlPlaneUrl)), url(at(keys.issuer))];
  return {
    ...(domain === '' ? {} : {baseDomain: domain}),
    ...(port > 0 ? {port} : {}),
    ...(typeof tls === 'boolean' ? {isTls: tls} : {}),
    ...(controlPlane ? {controlPlane} : {}),
    ...(issuer ? {issuer} : {}),
    hosts: Array.isArray(hosts) ? hosts.filter(host => typeof host === 'string' && !host.includes('*')) : [],
  };
};

type Gateway = {readonly scheme?: 'http' | 'https'; readonly port?: number};

/**
 * Returns the scheme and port of the gateway: from the control plane's address if that has this host, otherwise from
 * the values for port and TLS, otherwise from the address of the identity provider behind the same gateway.
 */
const gatewayOf = ({controlPlane, issuer, port, isTls}: Said, host: string): Gateway => {
  const domain = host.split('.').slice(1).join('.');
  const url = controlPlane?.hostname === host ? controlPlane : undefined;
  if (url) return gatewayAt(url);
  if (port !== undefined || isTls !== undefined) {
    const scheme = isTls === undefined ? {} : {scheme: isTls ? ('https' as const) : ('http' as const)};
    return {...scheme, ...(port === undefined ? {} : {port})};
  }
  return issuer && domain !== '' && issuer.hostname.endsWith(`.${domain}`) ? gatewayAt(issuer) : {};
};

const gatewayAt = ({protocol, port}: URL): Gateway => {
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return {scheme, port: port === '' ? (scheme === 'https' ? 443 : 80) : Number(port)};
};

const labelled = ({labels}: Platform, service: Service, baseDomain: string | undefined) =>
  baseDomain === undefined ? undefined : `${labels[service]}.${baseDomain}`;

const addressAt = (host: string, {scheme, port}: Gateway, localPort: number): string => {
  const isLocal = host.endsWith('.localhost');
  const chosen = scheme ?? (isLocal ? 'http' : 'https');
  const at = port ?? (chosen === 'http' && isLocal ? localPort : '');
  return new URL(`${chosen}://${host}:${at}`).origin;
};
