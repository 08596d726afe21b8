import {randomUUID} from 'node:crypto';
import {bundled} from '../../platform/platforms.ts';
import type {Hooks} from '../fault-effects.ts';
import {type Handler, pathOf, type Routes, router, sendJson, sendNotFound, sendNothing} from '../http-server.ts';
import type {Discovery, Extra, IdentityRelease} from '../releases/release.ts';
import {type Applications, deviceCodeGrant} from './applications.ts';
import {applicationsRoutes} from './applications-api.ts';
import {developerPortalRoutes} from './developer-portal.ts';
import {registrationRoutes} from './dynamic-registration.ts';
import {createFlows, flowEndpoint} from './flow-execute.ts';
import {gateRoutes} from './gate.ts';
import type {Users} from './initial-applications.ts';
import {bearerOf, createRefreshTokens, type SigningKey, tokenVerifier} from './issued-tokens.ts';
import {authorizeEndpoint, devicePaths, deviceRoutes, withoutSession} from './oidc-answers.ts';
import {createProvider} from './oidc-provider.ts';
import {html, sendPage} from './pages.ts';
import {
  clientAuthentication,
  deviceAuthorizationEndpoint,
  introspectEndpoint,
  pushedAuthorizationEndpoint,
  type ResourceServers,
  revocationEndpoint,
  tokenEndpoint,
  userinfoEndpoint,
} from './token-endpoint.ts';

type Options = {
  readonly issuer: string;
  readonly discovery: Discovery;
  /** Requested extras, in addition to those of the release. */
  readonly extras: readonly Extra[];
  readonly hooks: Pick<Hooks, 'metadata'>;
};

const extraEndpoints: {readonly [E in Extra]: readonly [name: string, path: string]} = {
  revocation: ['revocation_endpoint', '/oauth2/revoke'],
  device: ['device_authorization_endpoint', '/oauth2/device_authorization'],
};

/** Returns the two metadata documents of the provider (RFC 8414 3, OpenID Connect Discovery 4). */
export const metadataRoutes = ({issuer, discovery, extras, hooks}: Options): Routes => {
  const {endpoints, members, openIdMembers} = discovery;
  const all = {...endpoints, ...Object.fromEntries(extras.map(extra => extraEndpoints[extra]))};
  const grantTypes = [members.grant_types_supported ?? []].flat();
  const plain = {
    issuer,
    ...Object.fromEntries(Object.entries(all).map(([name, path]) => [name, `${issuer}${path}`])),
    ...members,
    ...(extras.includes('device') && {grant_types_supported: [...grantTypes, deviceCodeGrant]}),
  };
  const document = (metadata: object): Routes[string] => ({
    GET: (_, response) => sendJson(response, 200, hooks.metadata({...metadata})),
  });
  return {
    '/.well-known/oauth-authorization-server': document(plain),
    '/.well-known/openid-configuration': document({...plain, ...openIdMembers}),
  };
};

export type IdentityProviderOptions = {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly users: Users;
  readonly applications: Applications;
  readonly release: IdentityRelease;
  /** Endpoints in addition to those of the release. */
  readonly extras: readonly Extra[];
  readonly resourceServers: ResourceServers;
  readonly hooks: Hooks;
};

/** Creates the identity provider (platform access 4.1): everything that its host answers. */
export const createIdentityProvider = async (options: IdentityProviderOptions): Promise<Handler> => {
  const {issuer, key, users, applications, release, extras, hooks} = options;
  const flows = createFlows();
  const refreshTokens = createRefreshTokens(key);
  const provider = await createProvider({
    ...options,
    refreshTokens,
    onSignIn: (flowId, application) => flows.begin(application.id, flowId),
  });
  const protocol: Handler = provider.callback();
  const verify = tokenVerifier(key, {issuer, clockOffset: hooks.clockOffset});
  const authenticate = clientAuthentication(applications, release.clientAuthentication);
  const rules = {authenticate, release, refreshTokens};
  const endpoints = new Set<string>([...release.endpoints, ...extras]);
  const onlyWith = (endpoint: string, routes: Routes): Routes => (endpoints.has(endpoint) ? routes : {});

  const open = router(
    {
      '/health/liveness': {GET: (_, response) => sendNothing(response, 200, {'Content-Length': 0})},
      '/health/readiness': {GET: (_, response) => sendJson(response, 200, release.readiness)},
      ...metadataRoutes({issuer, discovery: release.discovery, extras, hooks}),
      '/oauth2/jwks': {GET: (_, response) => sendJson(response, 200, key.jwks())},
      [bundled.paths.authorize]: {GET: authorizeEndpoint(issuer, applications, release, protocol)},
      [`${bundled.paths.authorize}/{interaction}`]: {GET: withoutSession(protocol)},
      [bundled.paths.token]: {POST: tokenEndpoint(rules, protocol)},
      ...onlyWith('revocation', {'/oauth2/revoke': {POST: revocationEndpoint(rules, protocol)}}),
      ...onlyWith('pushed-authorization', {'/oauth2/par': {POST: pushedAuthorizationEndpoint(rules, protocol)}}),
      ...onlyWith('end-session', {'/oauth2/logout': {GET: endSession, POST: endSession}}),
      '/oauth2/introspect': {
        POST: introspectEndpoint(verify, release.authenticatedIntrospection ? authenticate : undefined),
      },
      '/oauth2/userinfo': {GET: userinfoEndpoint(verify), POST: userinfoEndpoint(verify)},
      [bundled.paths.flowExecute]: {
        POST: flowEndpoint({issuer, key, users, applications, flows, release, hooks}),
        OPTIONS: (_, response) => sendNothing(response, 204, {Allow: 'OPTIONS, POST'}),
      },
      ...registrationRoutes(applications, issuer, release),
      ...onlyWith('device', deviceRoutes(deviceAuthorizationEndpoint(rules, protocol), protocol)),
      ...gateRoutes({provider, users, applications, flows, rules: release.flow}),
      ...developerPortalRoutes(users, applications, release),
    },
    (request, response) => (isPublic(pathOf(request)) ? sendNotFound(response) : administered(request, response)),
  );

  /**
   * Whether a path is public, even if it does not exist. Without a valid token, every other path answers 401, whether
   * it exists or not.
   */
  const isPublic = (path: string) =>
    [...publicPrefixes, release.portal, ...(endpoints.has('device') ? [devicePaths.page] : [])].some(
      prefix => path === prefix || path.startsWith(`${prefix}/`),
    );

  const administration = router(applicationsRoutes(applications, issuer, release));

  const administered: Handler = async (request, response) => {
    const path = pathOf(request);
    const isAdministration = path === bundled.paths.applications || path.startsWith(`${bundled.paths.applications}/`);
    // A preflight carries no credentials (Fetch 4.8), and the answer reveals nothing.
    if (isAdministration && request.method === 'OPTIONS') return administration(request, response);
    const verdict = await verify(bearerOf(request.headers.authorization) ?? '');
    if (verdict.kind !== 'valid') return sendJson(response, 401, unauthorized, {'WWW-Authenticate': 'Bearer'});
    const {scope, authorized_permissions} = verdict.claims;
    const permissions = `${scope ?? ''} ${authorized_permissions ?? ''}`.split(' ');
    if (isAdministration && !permissions.includes('system')) return sendJson(response, 403, forbidden);
    return administration(request, response);
  };

  return (request, response) => {
    response.setHeader('X-Correlation-Id', randomUUID());
    return open(request, response);
  };
};

const publicPrefixes = [
  '/health',
  '/auth',
  '/flow/execute',
  '/oauth2',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/gate',
];

/**
 * The provider itself keeps no one signed in, so there is no session to end (OpenID Connect RP-Initiated Logout 1.0).
 */
const endSession: Handler = (_, response) =>
  sendPage(response, 200, {title: 'Signed out', body: html`<h1>You are signed out</h1>`});

const unauthorized = {error: 'unauthorized', error_description: 'Authentication is required to access this resource'};

const forbidden = {
  error: 'forbidden',
  error_description: 'You do not have sufficient permissions to access this resource',
};
