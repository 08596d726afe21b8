import {bundled} from '../../platform/bundled.ts';

const {mcp, protectedResource} = bundled.paths;

/** The resource identifier of a service's MCP server: the audience of its tokens (RFC 8707 2). */
export const resourceOf = (serviceUrl: string) => `${serviceUrl}${mcp}`;

/** Where a service's protected resource metadata is. */
const metadataUrlOf = (serviceUrl: string) => `${serviceUrl}${protectedResource}`;

type Description = {
  readonly name: string;
  /** What the service believes its own address to be. */
  readonly url: string;
  readonly authorizationServer: string;
  readonly scopes: readonly string[];
  /** What a platform adds of its own. */
  readonly additions?: Readonly<Record<string, unknown>>;
};

/** Protected resource metadata (RFC 9728 2). */
export const resourceMetadata = ({name, url, authorizationServer, scopes, additions = {}}: Description) => ({
  resource_name: name,
  resource: resourceOf(url),
  authorization_servers: [authorizationServer],
  bearer_methods_supported: ['header'],
  scopes_supported: scopes,
  ...additions,
});

/** The challenge of an MCP server (RFC 9728 5.1), with the scopes to ask for where there are any (RFC 6750 3). */
export const challengeOf = (url: string, scopes: readonly string[]) =>
  [
    `Bearer resource_metadata="${metadataUrlOf(url)}"`,
    ...(scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []),
  ].join(', ');
