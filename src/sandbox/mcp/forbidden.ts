import type {Access} from '../authorization/access.ts';
import type {OfferedTool} from './offered-tool.ts';

/** A call of a tool, as far as it matters who may make it. */
type Message = {readonly id?: unknown; readonly method?: unknown; readonly params?: {readonly name?: unknown}};

/** The answer to a call of a tool that there is not, in the words of the platform. Undefined for everything else. */
export const unknownCall = (received: unknown, tools: ReadonlyMap<string, OfferedTool>): object | undefined => {
  const message = received as Message | undefined | null;
  const name = message?.params?.name;
  if (message?.method !== 'tools/call' || typeof name !== 'string' || tools.has(name)) return undefined;
  const error = {code: -32_602, message: `unknown tool ${JSON.stringify(name)}`};
  return {jsonrpc: '2.0', id: message.id ?? null, error};
};

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

type Shown = {
  /** Set where tools are hidden that the caller may call nowhere. */
  readonly access?: Access;
  /** The sets of tools that were asked for; none for all of them. */
  readonly wanted: readonly string[];
};

/**
 * Shows only tools that the caller may call somewhere, and of these the sets that were asked for. A set counts for the
 * list alone: who knows a tool of another one can call it. Tells no client that the list has changed, as nobody else does.
 */
export const showTools = (tools: ReadonlyMap<string, OfferedTool>, {access, wanted}: Shown, method: unknown) => {
  const isWanted = ({toolSets = []}: OfferedTool) =>
    wanted.length === 0 || method === 'tools/call' || toolSets.some(name => wanted.includes(name));
  const isPermitted = ({action}: OfferedTool) => action === undefined || access?.mayAnywhere(action) !== false;
  for (const offered of tools.values()) offered.tool.enabled = isWanted(offered) && isPermitted(offered);
};
