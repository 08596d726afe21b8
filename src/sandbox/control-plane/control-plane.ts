import {bundled} from '../../platform/bundled.ts';
import type {Handler} from '../http/handler.ts';
import {sendJson, sendNotFound, sendText} from '../http/reply.ts';
import {pathOf, router} from '../http/router.ts';
import type {TokenVerifier} from '../identity/token-verifier.ts';
import type {McpEndpoint} from '../mcp/mcp-endpoint.ts';
import {protectedBy} from '../mcp/protected.ts';
import {metadataUrlOf, resourceMetadata} from '../mcp/protected-resource.ts';
import type {ResourceStore} from '../resources/resource-store.ts';
import type {ExternalClient} from '../values.ts';
import {usesOpenApi} from './openapi-header.ts';
import {resourceApiRoutes} from './resource-api.ts';
import {version} from './version.ts';

export type ControlPlaneOptions = {
  readonly url: string;
  readonly issuer: string;
  readonly externalClients: readonly ExternalClient[];
  readonly verify: TokenVerifier;
  readonly mcp: McpEndpoint;
  readonly store: ResourceStore;
};

/** The control plane, platform access 4.2 and 4.3: everything that its host answers. */
export const controlPlane = ({url, issuer, externalClients, verify, mcp, store}: ControlPlaneOptions): Handler => {
  const {paths} = bundled;
  const withToken = protectedBy(verify, metadataUrlOf(url));
  const metadata = resourceMetadata('Platform MCP Server', url, issuer);
  const configuration = {
    authorization_endpoint: `${issuer}${paths.authorize}`,
    external_clients: externalClients.map(({client_id, name, scopes}) => ({client_id, name, scopes})),
    issuer,
    security_enabled: true,
    token_endpoint: `${issuer}${paths.token}`,
  };
  const serveMcp = withToken((request, response, subject) => mcp.serve(subject)(request, response));

  const routes = router({
    [paths.health]: {GET: (_, response) => sendText(response, 200, 'OK')},
    '/ready': {GET: (_, response) => sendText(response, 200, 'Ready')},
    [paths.version]: {GET: (_, response) => sendJson(response, 200, version)},
    [paths.protectedResource]: {GET: (_, response) => sendJson(response, 200, metadata)},
    '/api/v1/.well-known/openid-configuration': {
      GET: (request, response) =>
        usesOpenApi(request) ? sendJson(response, 200, configuration) : sendNotFound(response),
    },
    ...resourceApiRoutes(store, protectedBy(verify)),
  });

  // Every method of this path asks for the token first, so it is not in the table.
  return (request, response) => (pathOf(request) === paths.mcp ? serveMcp : routes)(request, response);
};
