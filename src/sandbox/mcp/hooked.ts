import type {JWTPayload} from 'jose';
import type {Hooks} from '../faults/hooks.ts';
import {sendJson} from '../http/reply.ts';
import type {McpEndpoint} from './mcp-endpoint.ts';

/** An MCP server as the faults of the moment leave it. */
export const hooked = (endpoint: McpEndpoint, hooks: Pick<Hooks, 'mcp' | 'demandedScope'>): McpEndpoint => ({
  ...endpoint,
  serve: claims => {
    const demanded = hooks.demandedScope();
    if (demanded === undefined || scopesOf(claims).includes(demanded)) return hooks.mcp(endpoint.serve(claims));
    return hooks.mcp((_, response) => sendJson(response, 403, forbidden, insufficient(demanded)));
  },
});

const scopesOf = ({scope}: JWTPayload): readonly string[] => (typeof scope === 'string' ? scope.split(' ') : []);

const forbidden = {error: 'FORBIDDEN', message: 'the token lacks a scope'};

/** RFC 6750 3.1. */
const insufficient = (scope: string) => ({'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`});
