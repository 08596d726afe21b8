import {randomUUID} from 'node:crypto';
import type {Connection} from '../../assistants/connection.ts';
import {costOf} from '../../domain/tool-sets.ts';
import {SetupError} from '../../errors/errors.ts';
import {type McpClient, SEAL} from '../../mcp/client.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Run} from '../flow.ts';
import {LIST_TIMEOUT} from '../time-limits.ts';
import {type McpServerAddress, withConversation, withMcpServer} from './mcp-session.ts';

/** What a server offers, and about how many tokens that takes of a conversation. */
export type ToolList = {readonly names: readonly string[]; readonly tokens: number; readonly ms: number};

type Offered = Omit<ToolList, 'ms'>;

/**
 * Asks an MCP server what it offers, the way an assistant does: `initialize`, then every page of `tools/list`.
 *
 * @throws SetupError as `withMcpServer`
 */
export const listTools = (server: McpServerAddress, {ports, signal, tell}: Run): Promise<ToolList> =>
  timed(ports, () => withMcpServer(server, {ports, signal, tell}, offered));

/**
 * Asks the same through the program that an entry names, over its standard input and output.
 *
 * @throws SetupError `local-entry-failed` with what the program said, `network-timeout`, and what our own bridge says
 */
export const listToolsByCommand = (
  {command, args, env}: Extract<Connection, {kind: 'command'}>,
  ports: Ports,
  signal: AbortSignal,
): Promise<ToolList> => {
  const who = [command, ...args].join(' ');
  const explain = (reason: string, cause: unknown) =>
    new SetupError('local-entry-failed', `${who} failed: ${reason}`, {cause});
  const seal = randomUUID();
  const begin = (deadline: AbortSignal) =>
    ports.processes.open(command, args, {env: {...env, [SEAL]: seal}, signal: deadline}).catch(error => {
      throw error instanceof SetupError ? error : explain(error.message, error);
    });
  return timed(ports, () => withConversation(begin, offered, {who, explain, timeout: LIST_TIMEOUT, seal}, signal));
};

const offered = async (client: McpClient): Promise<Offered> => {
  const tools = await client.listTools();
  return {names: tools.map(({name}) => name), tokens: costOf(tools).tokens};
};

const timed = async ({clock}: Ports, list: () => Promise<Offered>): Promise<ToolList> => {
  const started = clock.monotonic();
  const found = await list();
  return {...found, ms: Math.round(clock.monotonic() - started)};
};
