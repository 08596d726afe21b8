import type {McpServer, RegisteredTool} from '@modelcontextprotocol/server';
import type {Access} from '../authorization/access.ts';

/** On whose behalf a server is asked. */
export type ToolCallContext = {
  /** What the caller of the request that is being answered may do. */
  readonly access: () => Access;
};

/** A tool that a server offers. */
export type OfferedTool = {
  readonly tool: RegisteredTool;
  /** The action that calling it is; undefined where that is nobody's business. */
  readonly action?: string;
  /** The sets that it belongs to. */
  readonly toolSets?: readonly string[];
};

/** Gives a server its tools, and tells all of them by their names. */
export type RegisterTools = (server: McpServer, visit: ToolCallContext) => ReadonlyMap<string, OfferedTool>;
