import {SetupError} from '../errors/errors.ts';
import {challengeIn} from '../mcp/refusal.ts';
import type {HttpReply} from '../ports/ports.ts';
import type {Run} from './flow.ts';
import {checkNamed, namedAddress} from './named-address.ts';

/** The request to a server without a token: the smallest one that every MCP server understands. */
const knock = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'});

/**
 * Sends a request without a token to an MCP server, which answers with its challenge (MCP 2025-11-25, authorization).
 * Redirects are returned and not followed.
 *
 * @param timeout in milliseconds
 */
export const knockAt = (
  url: URL,
  {ports, signal, tell}: Run,
  look: {readonly timeout: number; readonly isQuick?: boolean},
): Promise<HttpReply> => {
  const headers = {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream'};
  const request = {method: 'POST', url, headers, body: knock, redirects: 'answer', ...look} as const;
  return ports.http.send(request, {signal, report: tell});
};

/**
 * Returns the address that a server names for its metadata (`resource_metadata`, RFC 9728 5.1), which comes before the
 * usual address.
 *
 * @returns undefined if it names none, or an address to which no request may be sent
 * @throws the reason that stops the run
 */
export const challengedMetadata = async (
  url: URL,
  run: Run,
  look: {readonly timeout: number; readonly isQuick?: boolean},
): Promise<URL | undefined> => {
  try {
    const reply = await knockAt(url, run, look);
    if (reply.status !== 401) return undefined;
    const address = namedAddress(challengeIn(reply.header('www-authenticate')).resourceMetadata);
    if (!address) return undefined;
    await checkNamed(address, url, run.ports);
    return address;
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    return undefined;
  }
};
