import type {Assistant} from './assistant.ts';

/** Any MCP client that reads the platform's own shape: `mcp.json` in the project directory (platform access 2.5). */
export const generic: Assistant = {
  id: 'generic',
  name: 'MCP JSON',
  file: ({project}) => [project, 'mcp.json'],
  root: ['mcpServers'],
  entry: {
    header: ({url, authorization}) => ({url, transport: {type: 'http', headers: {Authorization: authorization}}}),
    read: entry => {
      const {url, transport} = (entry ?? {}) as {url?: unknown; transport?: {type?: unknown; headers?: unknown}};
      if (typeof url !== 'string' || !URL.canParse(url) || transport?.type !== 'http') return undefined;
      const headers = Object.entries(transport.headers ?? {}).filter(([, value]) => typeof value === 'string');
      return {url, headers: Object.fromEntries(headers) as Record<string, string>};
    },
  },
};
