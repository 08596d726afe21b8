import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';

/** How long a server may take to say whether it accepts a token, in milliseconds. */
const PATIENCE = 3_000;

const ping = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'});

/**
 * Finds out by one call whether an MCP server refuses a token (RFC 6750 3.1). A server that cannot be asked, or that
 * does not know the call, has refused nothing.
 */
export const isTokenRefused: Flow<{readonly url: string; readonly token: string}, boolean> = ({url, token}, run) =>
  stoppable(run, async ({ports, signal, tell}) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    };
    const request = {method: 'POST', url: new URL(url), headers, body: ping, timeout: PATIENCE, isQuick: true} as const;
    return ports.http.send(request, {signal, report: tell}).then(
      ({status}) => status === 401,
      () => {
        signal.throwIfAborted();
        return false;
      },
    );
  });
