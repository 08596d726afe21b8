import type {Access} from '../authorization/access.ts';
import type {OfferedTool} from './offered-tool.ts';

/** A call of a tool, as far as it matters who may make it. */
type Message = {readonly id?: unknown; readonly method?: unknown; readonly params?: {readonly name?: unknown}};

/**
 * The answer to a call of a tool that the caller may call nowhere: an error of the protocol (JSON-RPC 2.0 5.1), with
 * the code and the words of the platform. Undefined for everything else.
 */
export const forbiddenCall = (
  received: unknown,
  tools: ReadonlyMap<string, OfferedTool>,
  access: Access,
): object | undefined => {
  const message = received as Message | undefined | null;
  if (message?.method !== 'tools/call') return undefined;
  const name = String(message.params?.name);
  const action = tools.get(name)?.action;
  if (action === undefined || access.mayAnywhere(action)) return undefined;
  const text = `not authorized to call tool ${JSON.stringify(name)}: missing permission ${JSON.stringify(action)}`;
  return {jsonrpc: '2.0', id: message.id ?? null, error: {code: 0, message: text}};
};

/** Shows only tools that the caller may call somewhere. Tells no client that the list has changed, as nobody else does. */
export const showPermitted = (tools: ReadonlyMap<string, OfferedTool>, access: Access) => {
  for (const {tool, action} of tools.values()) tool.enabled = action === undefined || access.mayAnywhere(action);
};
