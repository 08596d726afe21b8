import {bundled} from '../../platform/bundled.ts';
import type {Handler} from '../http/handler.ts';
import {sendJson} from '../http/reply.ts';
import {pathOf, router} from '../http/router.ts';
import type {TokenVerifier} from '../identity/tokens/token-verifier.ts';
import type {McpEndpoint} from '../mcp/mcp-endpoint.ts';
import {protectedBy} from '../mcp/protected.ts';
import {challengeOf, resourceMetadata} from '../mcp/protected-resource.ts';

export type ObserverOptions = {
  /** What it believes its own address to be. */
  readonly url: string;
  readonly resourceName: string;
  readonly scopes: readonly string[];
  /** What a platform adds to its metadata. */
  readonly additions: Readonly<Record<string, unknown>>;
  /** Whom it names as its identity provider. */
  readonly authority: string;
  readonly verify: TokenVerifier;
  readonly mcp: McpEndpoint;
};

/** The observer, platform access 4.2 and 4.3: everything that its host answers. */
export const observer = (options: ObserverOptions): Handler => {
  const {url, resourceName, scopes, additions, authority, verify, mcp} = options;
  const {paths} = bundled;
  const metadata = resourceMetadata({name: resourceName, authorizationServer: authority, ...{url, scopes, additions}});
  const serveMcp = protectedBy(
    verify,
    challengeOf(url, scopes),
  )((request, response, claims) => mcp.serve(claims)(request, response));
  const routes = router({
    [paths.health]: {
      GET: (_, response) => sendJson(response, 200, {status: 'healthy', timestamp: new Date().toISOString()}),
    },
    [paths.protectedResource]: {GET: (_, response) => sendJson(response, 200, metadata)},
  });
  // Every method of this path asks for the token first, so it is not in the table.
  return (request, response) => (pathOf(request) === paths.mcp ? serveMcp : routes)(request, response);
};
