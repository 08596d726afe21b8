import type {Client, Tool} from '@modelcontextprotocol/client';
import type {Ports} from '../ports/ports.ts';
import {type McpServerAddress, withMcpServer} from './mcp-session.ts';
import type {Tell} from './reporting.ts';

export type ToolList = {readonly names: readonly string[]; readonly ms: number};

/**
 * Asks an MCP server what it offers, the way an assistant does: `initialize`, then every page of `tools/list`.
 *
 * @throws SetupError as `withMcpServer`
 */
export const listTools = async (
  server: McpServerAddress,
  ports: Ports,
  signal: AbortSignal,
  tell: Tell,
): Promise<ToolList> => {
  const started = ports.clock.monotonic();
  const tools = await withMcpServer(server, ports, signal, tell, allTools);
  return {names: tools.map(({name}) => name), ms: Math.round(ports.clock.monotonic() - started)};
};

/** Every page of a server's tools. */
export const allTools = async (client: Client, signal: AbortSignal): Promise<readonly Tool[]> => {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : {cursor}, {signal});
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
};
