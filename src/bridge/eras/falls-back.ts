import {isObject, type Message} from '../../mcp/message.ts';

/**
 * Clients, by their own names, that were seen to begin with a handshake if a server does not know `server/discover`.
 * Both sides then share an era, so nothing is translated. Any other client that begins in the stateless era may know no
 * other.
 */
const names: ReadonlySet<string> = new Set(['claude-code', 'copilot-cli']);

/** Returns the client's own name in a message of the stateless era; empty if it does not say. */
export const clientIn = ({params}: Pick<Message, 'params'>): string => {
  const meta = params?._meta;
  const info = isObject(meta) ? meta['io.modelcontextprotocol/clientInfo'] : undefined;
  return isObject(info) ? String(info.name) : '';
};

export const fallsBack = (client: string): boolean => names.has(client);
