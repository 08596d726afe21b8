import {warp} from '../../../src/assistants/catalogue/warp.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(warp, {
  files: {
    user: {
      linux: ['/home/ann/.warp/.mcp.json'],
      darwin: ['/Users/ann/.warp/.mcp.json'],
      win32: ['C:\\Users\\ann\\.warp\\.mcp.json'],
    },
    project: {
      linux: ['/work/app/.warp/.mcp.json'],
      darwin: ['/work/app/.warp/.mcp.json'],
      win32: ['D:\\app\\.warp\\.mcp.json'],
    },
  },
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "url": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      }
    }
  }
}
`,
    command: PLAIN_COMMAND,
  },
  inUse: [
    `{"mcpServers":{"memory":{"command":"npx","args":["-y","@modelcontextprotocol/server-memory"]}}}`,
    `{"mcpServers":{"memory":{"command":"npx","args":["-y","@modelcontextprotocol/server-memory"]},"acme":{"command":"/usr/bin/node","args":["bridge"]}}}`,
  ],
});
