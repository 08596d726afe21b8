import {cursor} from '../../../src/assistants/catalogue/cursor.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(cursor, {
  files: {
    user: {
      linux: ['/home/ann/.cursor/mcp.json'],
      darwin: ['/Users/ann/.cursor/mcp.json'],
      win32: ['C:\\Users\\ann\\.cursor\\mcp.json'],
    },
    project: {
      linux: ['/work/app/.cursor/mcp.json'],
      darwin: ['/work/app/.cursor/mcp.json'],
      win32: ['D:\\app\\.cursor\\mcp.json'],
    },
  },
  texts: {
    oauth: `{
  "mcpServers": {
    "acme": {
      "url": "http://api.acme.localhost:8080/mcp",
      "auth": {
        "CLIENT_ID": "user_mcp_client"
      }
    }
  }
}
`,
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
    `{
  "mcpServers": {}
}
`,
    `{
  "mcpServers": {
    "acme": {
      "command": "/usr/bin/node",
      "args": [
        "bridge"
      ]
    }
  }
}
`,
  ],
});
