import {junie} from '../../../src/assistants/catalogue/junie.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(junie, {
  files: {
    user: {
      linux: ['/home/ann/.junie/mcp/mcp.json'],
      darwin: ['/Users/ann/.junie/mcp/mcp.json'],
      win32: ['C:\\Users\\ann\\.junie\\mcp\\mcp.json'],
    },
    project: {
      linux: ['/work/app/.junie/mcp/mcp.json'],
      darwin: ['/work/app/.junie/mcp/mcp.json'],
      win32: ['D:\\app\\.junie\\mcp\\mcp.json'],
    },
  },
  moved: [[{JUNIE_HOME: '/etc/junie'}, ['/etc/junie/mcp/mcp.json']]],
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
    `{
  "mcpServers": {
  }
}`,
    `{
  "mcpServers": {
    "acme": {
      "command": "/usr/bin/node",
      "args": [
        "bridge"
      ]
    }
  }
}`,
  ],
});
