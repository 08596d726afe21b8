import {bundled} from '../../platform/bundled.ts';

const {mcp, protectedResource} = bundled.paths;

/** The resource identifier of a service's MCP server: the audience of its tokens (RFC 8707 2). */
export const resourceOf = (serviceUrl: string) => `${serviceUrl}${mcp}`;

/** Where a service's protected resource metadata is. */
export const metadataUrlOf = (serviceUrl: string) => `${serviceUrl}${protectedResource}`;

/** Protected resource metadata (RFC 9728 2). */
export const resourceMetadata = (name: string, serviceUrl: string, authorizationServer: string) => ({
  resource_name: name,
  resource: resourceOf(serviceUrl),
  authorization_servers: [authorizationServer],
  bearer_methods_supported: ['header'],
  scopes_supported: [],
});
