import {lmStudio} from '../../../src/assistants/catalogue/lm-studio.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(lmStudio, {
  files: {
    user: {
      linux: ['/home/ann/.lmstudio/mcp.json'],
      darwin: ['/Users/ann/.lmstudio/mcp.json'],
      win32: ['C:\\Users\\ann\\.lmstudio\\mcp.json'],
    },
    project: {linux: [], darwin: [], win32: []},
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
