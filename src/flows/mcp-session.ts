import type {Client} from '@modelcontextprotocol/client';
import {findSetupError, SetupError} from '../errors.ts';
import type {Ports} from '../ports/ports.ts';
import type {Tell} from './reporting.ts';
import {cleanText} from './text.ts';
import {LIST_TIMEOUT} from './time-limits.ts';

export type McpServerAddress = {
  readonly url: string;
  /** Sent with every request, as an assistant would send them. */
  readonly headers: Readonly<Record<string, string>>;
};

type Options = {
  /** For everything together, in milliseconds. */
  readonly timeout?: number;
};

/**
 * One session with an MCP server over Streamable HTTP: `initialize`, the work, and its end.
 *
 * @throws SetupError `auth-token-refused`, `auth-permission-missing`, `platform-mcp-failed`, or of the `network-` family;
 *   what `work` throws as a SetupError itself
 */
export const withMcpServer = async <Result>(
  {url, headers}: McpServerAddress,
  ports: Ports,
  signal: AbortSignal,
  tell: Tell,
  work: (client: Client, signal: AbortSignal) => Promise<Result>,
  {timeout = LIST_TIMEOUT}: Options = {},
): Promise<Result> => {
  const {Client, StreamableHTTPClientTransport} = await import('@modelcontextprotocol/client');
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const send = ports.http.fetch({signal: deadline, report: tell});
  let refused: SetupError | undefined;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: {headers},
    fetch: async (input, init) => {
      const response = await send(input, init);
      // The status is gone from what the SDK throws later, and it is what says whose turn it is.
      if (response.status === 401 || response.status === 403) refused ??= refusal(response.status, url);
      return response;
    },
  });
  const client = new Client({name: 'platform-setup', version: '1'});
  try {
    await client.connect(transport, {signal: deadline});
    return await work(client, deadline);
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted)
      throw new SetupError('network-timeout', `${url} did not answer within ${timeout / 1000} s.`, {cause: error});
    throw refused ?? findSetupError(error) ?? mcpFailure(error, url);
  } finally {
    // Ends the session on the server; a server that does not answer to that is no reason to wait.
    await Promise.race([
      transport.terminateSession().catch(() => undefined),
      ports.clock.sleep(500, deadline).catch(() => undefined),
    ]);
    await client.close().catch(() => undefined);
  }
};

const refusal = (status: 401 | 403, url: string) =>
  status === 401
    ? new SetupError('auth-token-refused', `${url} refused the access token (401).`)
    : new SetupError('auth-permission-missing', `${url} took the access token, but not for this (403).`);

const mcpFailure = (error: unknown, url: string) => {
  const reason = cleanText(error instanceof Error ? error.message : String(error));
  return new SetupError('platform-mcp-failed', `${url} did not answer as an MCP server: ${reason}.`, {cause: error});
};
