import type {JWTPayload} from 'jose';
import {releaseOf} from '../platform/recognise.ts';
import type {Hooks} from './fault-effects.ts';
import {cleaningPaths, type Handler, pathOf, type Routes, router, sendJson, sendText} from './http-server.ts';
import type {TokenVerifier} from './identity/issued-tokens.ts';
import type {McpEndpoint} from './mcp-endpoint.ts';
import type {PlatformKind} from './platform-kinds.ts';
import {challengeOf, protectedBy, resourceMetadata} from './protected-resource.ts';
import type {SandboxRelease} from './releases/release.ts';
import {type Flavour, namespaceApiRoutes, resourceApiRoutes, usesOpenApi} from './resource-api.ts';
import type {ResourceStore} from './resources.ts';
import type {Access, Bindings} from './roles.ts';
import {rolesApiRoutes} from './roles-api.ts';
import type {ChartClient} from './values.ts';

/** Returns what the control plane says about itself (platform access 4.2). */
export const versionOf = ({names}: PlatformKind, {version}: SandboxRelease) => ({
  name: names.controlPlane,
  ...version,
  goOS: 'linux',
  goArch: 'amd64',
  goVersion: 'go1.24.12',
});

export type ControlPlaneOptions = {
  readonly kind: PlatformKind;
  readonly release: SandboxRelease;
  readonly url: string;
  readonly issuer: string;
  readonly externalClients: readonly ChartClient[];
  readonly verify: TokenVerifier;
  readonly mcp: McpEndpoint;
  readonly store: ResourceStore;
  readonly accessOf: (claims: JWTPayload) => Access;
  readonly bindings: Bindings;
  readonly hooks: Pick<Hooks, 'version'>;
};

/** The control plane (platform access 4.2 and 4.3): everything that its host answers. */
export const controlPlane = (options: ControlPlaneOptions): Handler => {
  const {kind, release, url, issuer, verify, mcp, store, accessOf, bindings, hooks} = options;
  const {paths, externalClientsKey} = kind.platform;
  const {clients, scopes, cliDiscovery} = release.resourceMetadata;
  const externalClients = options.externalClients.map(({client_id, name, scopes}) => ({client_id, name, scopes}));
  const withToken = protectedBy(verify, challengeOf(url, scopes));
  const metadata = resourceMetadata({
    name: kind.resourceNames.controlPlane,
    authorizationServer: issuer,
    additions: clients ? {[externalClientsKey]: externalClients, [kind.securityMember]: true} : {},
    ...{url, scopes},
  });
  const version = versionOf(kind, release);
  const configuration = {
    authorization_endpoint: `${issuer}${paths.authorize}`,
    external_clients: externalClients,
    issuer,
    security_enabled: true,
    token_endpoint: `${issuer}${paths.token}`,
  };
  const serveMcp = withToken((request, response, claims) => mcp.serve(claims)(request, response));

  const withoutChallenge = protectedBy(verify);
  const {clusterKinds} = release.api;
  // The newer flavour does not name a character set.
  const toldBy = (type: 'text/plain' | 'text/plain; charset=utf-8'): Routes => ({
    [paths.health]: {GET: (_, response) => sendText(response, 200, 'OK', {'Content-Type': type})},
    '/ready': {GET: (_, response) => sendText(response, 200, 'Ready', {'Content-Type': type})},
    [paths.version]: {GET: (_, response) => sendJson(response, 200, hooks.version(version))},
  });
  const itself: Routes = {
    ...toldBy(release.api.shape === 'by-namespace' ? 'text/plain' : 'text/plain; charset=utf-8'),
    [paths.protectedResource]: {GET: (_, response) => sendJson(response, 200, metadata)},
  };
  const ofProjects = (flavour: Flavour): Routes =>
    resourceApiRoutes({
      store,
      accessOf,
      flavour,
      hasRoles: release.authorization !== undefined,
      clusterKinds,
      withToken: withoutChallenge,
    });
  const ofNamespaces = (): Routes => ({
    ...namespaceApiRoutes({
      withToken: withoutChallenge,
      forbidden: release.authorization?.forbidden ?? '',
      ...{store, accessOf, clusterKinds},
    }),
    ...ofRoles(),
  });
  const ofRoles = (): Routes => {
    const {roles} = releaseOf(kind.platform, release.version.version);
    if (!roles?.api || !release.authorization) return {};
    return rolesApiRoutes({
      roles: {path: roles.api.roles, kind: roles.roleKind},
      roleBindings: {path: roles.api.bindings, kind: roles.kind},
      apiVersion: roles.apiVersion,
      withToken: withoutChallenge,
      ...{bindings, accessOf},
    });
  };
  const api: {
    readonly [S in SandboxRelease['api']['shape']]: () => {readonly usual: Routes; readonly openApi?: Routes};
  } = {
    'by-project': () => ({usual: ofProjects('legacy'), openApi: ofProjects('open-api')}),
    'by-header': () => ({usual: ofProjects('legacy'), openApi: ofNamespaces()}),
    'by-namespace': () => ({usual: ofNamespaces()}),
  };
  const {usual, openApi} = api[release.api.shape]();
  const usualRoutes = router({...itself, ...usual});
  // Every method of this path requires a token first, so the path is not in the table.
  const usualHandler: Handler = (request, response) =>
    (pathOf(request) === paths.mcp ? serveMcp : usualRoutes)(request, response);
  // The newer flavour does not implement all of these paths yet.
  const openApiRoutes =
    openApi &&
    router({
      ...toldBy('text/plain'),
      '/ready': {GET: (_, response) => sendText(response, 500, 'not implemented\n')},
      [paths.protectedResource]: {GET: (_, response) => sendText(response, 500, 'not implemented\n')},
      ...(cliDiscovery && {[cliDiscovery]: {GET: (_, response) => sendJson(response, 200, configuration)}}),
      ...openApi,
    });
  const handler: Handler = (request, response) =>
    (openApiRoutes && usesOpenApi(request) ? openApiRoutes : usualHandler)(request, response);
  return release.api.cleansPaths ? cleaningPaths(handler) : handler;
};
