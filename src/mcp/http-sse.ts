import type {SetupError} from '../errors/errors.ts';
import {failureAt} from '../ports/network/curl.ts';
import type {Channel} from './channel.ts';
import {typeOf} from './refusal.ts';
import {createSseParser} from './response-stream.ts';

/** How long the first event of an HTTP+SSE stream may take, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * Detects a server that accepts no POST because it speaks the transport that Streamable HTTP has replaced (MCP
 * 2025-03-26, backwards compatibility): its stream begins with the event `endpoint`. Returns undefined for any other
 * server, or if no event comes in time.
 */
export const oldTransportError = async (
  channel: Channel,
  url: URL,
  signal: AbortSignal,
): Promise<SetupError | undefined> => {
  const request = {
    method: 'GET',
    headers: {accept: 'text/event-stream'},
    repeatable: true,
    headersTimeout: TIMEOUT,
  } as const;
  const over = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
  try {
    const reply = await channel.call(request, over);
    if (typeOf(reply) !== 'text/event-stream') {
      reply.endWithin(0);
      return undefined;
    }
    const parser = createSseParser();
    for await (const chunk of reply.body) {
      const [first] = parser.push(chunk);
      if (!first && !parser.isTooLarge) continue;
      return first?.type === 'endpoint'
        ? failureAt(url, 'platform-mcp-failed', 'speaks the HTTP+SSE transport, which MCP replaced in March 2025.', {
            remedy: 'Ask its operators to update the MCP server to one that speaks Streamable HTTP.',
          })
        : undefined;
    }
  } catch {
    // A server that does not answer this request does not speak HTTP+SSE.
  }
  return undefined;
};
