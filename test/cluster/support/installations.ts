import {gzipSync} from 'node:zlib';

export type Route = {readonly name: string; readonly namespace: string; readonly hostnames: readonly string[]};

/** The objects that an installation leaves in a cluster, as far as they reveal the platform's address. */
export type Installation = {
  readonly version: string;
  readonly routes: readonly Route[];
  /** The chart's defaults, and the values that override them. */
  readonly defaults: object;
  readonly values: object;
};

const controlPlane = 'openchoreo-control-plane';

const routes = (identityProvider: Route, ...observer: readonly string[]): readonly Route[] => [
  {name: 'backstage', namespace: controlPlane, hostnames: ['portal.acme.example.com']},
  {name: 'openchoreo-api', namespace: controlPlane, hostnames: ['api.acme.example.com']},
  identityProvider,
  {name: 'observer', namespace: 'openchoreo-observability-plane', hostnames: observer},
];

const thunder = (name: string, namespace = controlPlane): Route => ({
  ...{name, namespace},
  hostnames: ['thunder.acme.example.com'],
});

const external = (url: string) => ({openchoreoApi: {config: {server: {publicUrl: url}}}});

/** By release line, because the same things have other names in each. */
export const installations = {
  '0.14': {
    version: '0.14.0',
    routes: routes(thunder('thunder-openchoreo'), 'observer.acme.example.com'),
    defaults: {global: {baseDomain: 'openchoreo.localhost', port: ':8080', tls: {enabled: false}}},
    values: {global: {baseDomain: 'acme.example.com', port: ':8443', tls: {enabled: true}}},
  },
  '0.15': {
    version: '0.15.0',
    routes: routes(thunder('thunder-service'), 'observer.acme.example.com'),
    defaults: external('http://api.openchoreo.localhost:8080'),
    values: external('https://api.acme.example.com:8443'),
  },
  '0.17': {
    version: '0.17.0',
    routes: routes(thunder('thunder-httproute', 'thunder'), 'observer.acme.example.com'),
    defaults: external('http://api.openchoreo.localhost:8080'),
    values: {security: {oidc: {issuer: 'https://thunder.acme.example.com:8443'}}},
  },
  '1.2': {
    version: '1.2.3',
    // With several clusters, a cluster's own host comes first.
    routes: routes(thunder('thunder-httproute', 'thunder'), 'host.k3d.internal', 'observer.acme.example.com'),
    defaults: external(''),
    values: external('https://api.acme.example.com:8443'),
  },
} as const satisfies Record<string, Installation>;

/** Returns the Secret in which Helm keeps a release: JSON, compressed, in base64 twice. */
export const releaseSecret = ({version, defaults, values}: Installation) => {
  const at = '2026-02-07T08:00:00Z';
  const release = {
    ...{name: controlPlane, namespace: controlPlane, version: 1, manifest: '', config: values},
    info: {first_deployed: at, last_deployed: at, deleted: '', description: 'Install complete', status: 'deployed'},
    chart: {metadata: {apiVersion: 'v2', name: controlPlane, version}, templates: [], values: defaults},
  };
  const packed = gzipSync(JSON.stringify(release)).toString('base64');
  return {
    ...{apiVersion: 'v1', kind: 'Secret', type: 'helm.sh/release.v1'},
    metadata: {
      name: `sh.helm.release.v1.${controlPlane}.v1`,
      namespace: controlPlane,
      labels: {name: controlPlane, owner: 'helm', status: 'deployed', version: '1'},
    },
    data: {release: Buffer.from(packed).toString('base64')},
  };
};
