import type {CallToolResult} from '@modelcontextprotocol/server';
import {ResourceError} from '../resources/resource.ts';

/**
 * Runs a tool and gives its answer as text and as structure (MCP 2025-11-25, tools, structured content). What the resources do not
 * allow becomes a result that the assistant can read and act on; anything else is an error of the protocol.
 */
export const toolResult = (run: () => Record<string, unknown>): CallToolResult => {
  try {
    const structuredContent = run();
    return {content: [{type: 'text', text: JSON.stringify(structuredContent)}], structuredContent};
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    return {content: [{type: 'text', text: error.message}], isError: true};
  }
};
