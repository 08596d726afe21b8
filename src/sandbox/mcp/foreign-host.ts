import type {IncomingMessage} from 'node:http';
import {bundled} from '../../platform/bundled.ts';
import type {Handler} from '../http/handler.ts';
import {sendText} from '../http/reply.ts';
import {pathOf} from '../http/router.ts';

/** An MCP server that does not look at the `Host`: the token decides. */
export const anyHost =
  (server: Handler) =>
  (request: IncomingMessage): Handler | undefined =>
    pathOf(request) === bundled.paths.mcp ? server : undefined;

/** How an MCP server refuses a `Host` that is not its own: against DNS rebinding (MCP 2025-11-25, transports). */
export const forbiddenHost = (request: IncomingMessage): Handler | undefined =>
  pathOf(request) === bundled.paths.mcp
    ? ({headers}, response) =>
        sendText(response, 403, `Forbidden: invalid Host header ${JSON.stringify(headers.host ?? '')}\n`)
    : undefined;
