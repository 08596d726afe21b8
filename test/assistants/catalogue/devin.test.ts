import {devin} from '../../../src/assistants/catalogue/devin.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(devin, {
  files: {
    user: {
      linux: ['/home/ann/.config/devin/mcp_config.json'],
      darwin: ['/Users/ann/.config/devin/mcp_config.json'],
      win32: ['C:\\Roaming\\devin\\mcp_config.json'],
    },
    project: {
      linux: ['/work/app/.devin/mcp_config.json'],
      darwin: ['/work/app/.devin/mcp_config.json'],
      win32: ['D:\\app\\.devin\\mcp_config.json'],
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
