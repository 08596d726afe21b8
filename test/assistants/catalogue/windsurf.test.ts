import {windsurf} from '../../../src/assistants/catalogue/windsurf.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(windsurf, {
  files: {
    user: {
      linux: ['/home/ann/.codeium/windsurf/mcp_config.json', '/home/ann/.codeium/mcp_config.json'],
      darwin: ['/Users/ann/.codeium/windsurf/mcp_config.json', '/Users/ann/.codeium/mcp_config.json'],
      win32: ['C:\\Users\\ann\\.codeium\\windsurf\\mcp_config.json', 'C:\\Users\\ann\\.codeium\\mcp_config.json'],
    },
    project: {linux: [], darwin: [], win32: []},
  },
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "serverUrl": "http://api.acme.localhost:8080/mcp",
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
