import {kimiCode} from '../../../src/assistants/catalogue/kimi-code.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(kimiCode, {
  files: {
    user: {
      linux: ['/home/ann/.kimi-code/mcp.json'],
      darwin: ['/Users/ann/.kimi-code/mcp.json'],
      win32: ['C:\\Users\\ann\\.kimi-code\\mcp.json'],
    },
    project: {
      linux: ['/work/app/.kimi-code/mcp.json'],
      darwin: ['/work/app/.kimi-code/mcp.json'],
      win32: ['D:\\app\\.kimi-code\\mcp.json'],
    },
  },
  moved: [[{KIMI_CODE_HOME: '/home/work'}, ['/home/work/mcp.json']]],
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
