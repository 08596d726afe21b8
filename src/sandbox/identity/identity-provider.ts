import {randomUUID} from 'node:crypto';
import {bundled} from '../../platform/bundled.ts';
import type {Hooks} from '../faults/hooks.ts';
import type {Handler} from '../http/handler.ts';
import {sendJson, sendNotFound, sendNothing} from '../http/reply.ts';
import {pathOf, router} from '../http/router.ts';
import type {Applications} from './applications.ts';
import {applicationsRoutes} from './applications-endpoint.ts';
import {authorizeEndpoint, withoutSession} from './authorize-endpoint.ts';
import {developerPortalRoutes} from './developer-portal.ts';
import {devicePaths, deviceRoutes} from './device-flow.ts';
import {flowEndpoint} from './flow-endpoint.ts';
import {createFlows} from './flows.ts';
import {gateRoutes} from './gate.ts';
import {createProvider} from './provider.ts';
import type {SigningKey} from './signing-key.ts';
import {revocationEndpoint, tokenEndpoint} from './token-endpoint.ts';
import {introspectEndpoint, userinfoEndpoint} from './token-introspection.ts';
import {bearerOf, tokenVerifier} from './token-verifier.ts';
import type {Users} from './users.ts';

export type IdentityProviderOptions = {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly users: Users;
  readonly applications: Applications;
  readonly defaultAudience: string;
  readonly audiences: readonly string[];
  readonly hooks: Hooks;
};

/** The identity provider, platform access 4.1: everything that its host answers. */
export const createIdentityProvider = async (options: IdentityProviderOptions): Promise<Handler> => {
  const {issuer, key, users, applications, hooks} = options;
  const flows = createFlows();
  const provider = await createProvider({
    ...options,
    onSignIn: (flowId, application) => flows.begin(application.id, flowId),
  });
  const protocol: Handler = provider.callback();
  const verify = tokenVerifier(key.jwks, {issuer, clockOffset: hooks.clockOffset});

  const open = router(
    {
      '/health/liveness': {GET: (_, response) => sendNothing(response, 200, {'Content-Length': 0})},
      '/health/readiness': {GET: (_, response) => sendJson(response, 200, readiness)},
      '/.well-known/openid-configuration': {GET: protocol},
      '/.well-known/oauth-authorization-server': {GET: protocol},
      '/oauth2/jwks': {GET: protocol},
      [bundled.paths.authorize]: {GET: authorizeEndpoint(issuer, applications, protocol)},
      [`${bundled.paths.authorize}/{interaction}`]: {GET: withoutSession(protocol)},
      [bundled.paths.token]: {POST: tokenEndpoint(applications, protocol)},
      '/oauth2/revoke': {POST: revocationEndpoint(applications, protocol)},
      '/oauth2/introspect': {POST: introspectEndpoint(verify)},
      '/oauth2/userinfo': {GET: userinfoEndpoint(verify), POST: userinfoEndpoint(verify)},
      [bundled.paths.flowExecute]: {
        POST: flowEndpoint({issuer, key, users, applications, flows, hooks}),
        OPTIONS: (_, response) => sendNothing(response, 204, {Allow: 'OPTIONS, POST'}),
      },
      ...deviceRoutes(applications, protocol),
      ...gateRoutes(provider, users, applications),
      ...developerPortalRoutes(users, applications),
    },
    (request, response) => (isPublic(pathOf(request)) ? sendNotFound(response) : administered(request, response)),
  );

  const administration = router(applicationsRoutes(applications, issuer));

  const administered: Handler = async (request, response) => {
    const path = pathOf(request);
    const isAdministration = path === bundled.paths.applications || path.startsWith(`${bundled.paths.applications}/`);
    // A preflight carries no credentials (Fetch 4.8), and says nothing either.
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

/** Whether a path is open to everybody, existing or not. All others tell strangers nothing but 401. */
const isPublic = (path: string) => publicPrefixes.some(prefix => path === prefix || path.startsWith(`${prefix}/`));

const publicPrefixes = [
  '/health',
  '/auth',
  '/flow/execute',
  '/oauth2',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/gate',
  '/develop',
  devicePaths.page,
];

const readiness = {
  status: 'UP',
  service_status: ['IdentityDB', 'RuntimeDB', 'UserDB'].map(service_name => ({service_name, status: 'UP'})),
};

const unauthorized = {error: 'unauthorized', error_description: 'Authentication is required to access this resource'};

const forbidden = {
  error: 'forbidden',
  error_description: 'You do not have sufficient permissions to access this resource',
};
