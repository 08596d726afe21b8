import type {IncomingMessage} from 'node:http';
import type {Handler} from './handler.ts';
import {sendJson} from './reply.ts';

export type Hosts = {
  /** The handler of each `Host`, lower case, with its port. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** The origins whose pages may call these hosts: the sandbox's own. */
  readonly origins: ReadonlySet<string>;
  /** What the MCP servers of most releases answer to a host that nobody has, where they come before the gateway. */
  readonly stranger?: (request: IncomingMessage) => Handler | undefined;
};

/**
 * Serves several hosts behind one port. A `Host` that is none of them gets 421 (RFC 9110 15.5.20), which is what stops
 * DNS rebinding; a request that a page of another origin makes gets 403 (MCP 2025-11-25, transports, security warning).
 */
export const hostRouter =
  ({handlers, origins, stranger}: Hosts): Handler =>
  (request, response) => {
    // Node would quietly take the first of several (RFC 9112 3.2).
    if ((request.headersDistinct.host?.length ?? 0) > 1) {
      return sendJson(response, 400, {error: 'invalid_host', message: 'There is more than one host name'});
    }
    const host = request.headers.host?.toLowerCase() ?? '';
    const handler = handlers.get(host) ?? stranger?.(request);
    if (!handler) {
      return sendJson(response, 421, {error: 'misdirected_request', message: 'No service here has this host name'});
    }
    const {origin} = request.headers;
    if (origin !== undefined && !origins.has(origin.toLowerCase())) {
      return sendJson(response, 403, {error: 'forbidden_origin', message: 'This origin may not call this service'});
    }
    // Handlers build addresses from these: they get the one spelling that clients compare with, and the origin form of
    // the target, where proxies may send the absolute one (RFC 9112 3.2).
    request.headers.host = host;
    request.url = request.url?.replace(/^https?:\/\/[^/?]*/i, '') || '/';
    return handler(request, response);
  };
