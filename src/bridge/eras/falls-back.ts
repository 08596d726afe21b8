import {isObject, type Message} from '../../mcp/message.ts';

/**
 * Clients that were seen to begin by a handshake where a server does not know `server/discover`, by what they call
 * themselves. With them both sides share an era, so nothing is translated. Any other client that begins in the stateless
 * era may know no other.
 */
const names: ReadonlySet<string> = new Set(['claude-code', 'copilot-cli']);

/** What the client of a message in the stateless era calls itself; empty where it does not say. */
export const clientIn = ({params}: Pick<Message, 'params'>): string => {
  const meta = params?._meta;
  const info = isObject(meta) ? meta['io.modelcontextprotocol/clientInfo'] : undefined;
  return isObject(info) ? String(info.name) : '';
};

export const fallsBack = (client: string): boolean => names.has(client);
