import type {McpServer, RegisteredTool} from '@modelcontextprotocol/server';
import type {Access} from '../authorization/access.ts';

/** On whose behalf a server is asked, and for what part of it. */
export type ToolCallContext = {
  /** What the caller of the request that is being answered may do. */
  readonly access: () => Access;
  /** The sets of tools that were asked for; undefined for all of them. */
  readonly toolsets?: readonly string[];
};

/** A tool that a server offers, and the action that calling it is; undefined where that is nobody's business. */
export type OfferedTool = {readonly tool: RegisteredTool; readonly action?: string};

/** Gives a server its tools, and tells their names. */
export type RegisterTools = (server: McpServer, visit: ToolCallContext) => ReadonlyMap<string, OfferedTool>;
