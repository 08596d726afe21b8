import {parseJson} from '../json.ts';
import type {Channel} from './channel.ts';
import {mcpHeaders} from './headers.ts';
import {isObject, namesLegacyAlone, readObject, UNSUPPORTED_VERSION} from './message.ts';
import {readRefusal, refusalError, rpcErrorIn} from './refusal.ts';
import {answerIn, HANDSHAKE_TIMEOUT, messageHeaders} from './session.ts';

/** `modern` for the stateless revision 2026-07-28, `legacy` for the revisions with a handshake. */
export type Era = 'modern' | 'legacy';

/**
 * Asks a server which era it speaks (MCP 2026-07-28, versioning, and `server/discover`), on behalf of an assistant.
 *
 * @param line a message of that assistant in the stateless era
 * @throws SetupError if there is no valid token, or if the server cannot be reached or denies access
 */
export const eraOf = async (line: Buffer, channel: Channel, signal: AbortSignal): Promise<Era> => {
  const message: unknown = parseJson(line.toString('utf8'));
  const params = isObject(message) && isObject(message.params) ? message.params : {};
  const discover = {method: 'server/discover', params: {_meta: params._meta}};
  const body = Buffer.from(JSON.stringify({jsonrpc: '2.0', id: 'platform-setup: server/discover', ...discover}));
  const headers = {...messageHeaders, ...mcpHeaders(discover)};
  const request = {method: 'POST', headers, body, repeatable: true, headersTimeout: HANDSHAKE_TIMEOUT} as const;
  const reply = await channel.call(request, signal);
  const refusal = await readRefusal(reply);
  // Servers of the earlier eras refuse `server/discover` in different ways.
  const isUnknown = refusal && refusal.status >= 400 && refusal.status < 500 && !passing.has(refusal.status);
  const answer = refusal ? refusal.text : ((await answerIn(reply)) ?? '');
  if (namesLegacyAlone(readObject(answer))) return 'legacy';
  const error = rpcErrorIn(answer);
  if (error) return error.code === UNSUPPORTED_VERSION ? 'modern' : 'legacy';
  if (isUnknown) return 'legacy';
  if (refusal) throw refusalError(refusal, reply.url);
  return 'modern';
};

/** Client errors that do not depend on the requested method. */
const passing: ReadonlySet<number> = new Set([401, 403, 407, 408, 429]);
