import {bundled} from '../../platform/bundled.ts';
import type {Handler} from '../http/handler.ts';
import {sendJson} from '../http/reply.ts';
import {pathOf, router} from '../http/router.ts';
import type {TokenVerifier} from '../identity/token-verifier.ts';
import type {McpEndpoint} from '../mcp/mcp-endpoint.ts';
import {protectedBy} from '../mcp/protected.ts';
import {metadataUrlOf, resourceMetadata} from '../mcp/protected-resource.ts';

export type ObserverOptions = {
  readonly url: string;
  readonly issuer: string;
  readonly verify: TokenVerifier;
  readonly mcp: McpEndpoint;
};

/** The observer, platform access 4.2 and 4.3: everything that its host answers. */
export const observer = ({url, issuer, verify, mcp}: ObserverOptions): Handler => {
  const {paths} = bundled;
  const metadata = resourceMetadata('Platform Observer MCP Server', url, issuer);
  const serveMcp = protectedBy(
    verify,
    metadataUrlOf(url),
  )((request, response, subject) => mcp.serve(subject)(request, response));
  const routes = router({
    [paths.health]: {
      GET: (_, response) => sendJson(response, 200, {status: 'healthy', timestamp: new Date().toISOString()}),
    },
    [paths.protectedResource]: {GET: (_, response) => sendJson(response, 200, metadata)},
  });
  // Every method of this path asks for the token first, so it is not in the table.
  return (request, response) => (pathOf(request) === paths.mcp ? serveMcp : routes)(request, response);
};
