import {antigravity} from '../../../src/assistants/catalogue/antigravity.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(antigravity, {
  files: {
    user: {
      linux: ['/home/ann/.gemini/config/mcp_config.json', '/home/ann/.gemini/antigravity/mcp_config.json'],
      darwin: ['/Users/ann/.gemini/config/mcp_config.json', '/Users/ann/.gemini/antigravity/mcp_config.json'],
      win32: [
        'C:\\Users\\ann\\.gemini\\config\\mcp_config.json',
        'C:\\Users\\ann\\.gemini\\antigravity\\mcp_config.json',
      ],
    },
    project: {
      linux: ['/work/app/.agents/mcp_config.json'],
      darwin: ['/work/app/.agents/mcp_config.json'],
      win32: ['D:\\app\\.agents\\mcp_config.json'],
    },
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
    `{
  "mcpServers": {
    "firebase": {
      "serverUrl": "https://example.com/mcp"
    }
  }
}`,
    `{
  "mcpServers": {
    "firebase": {
      "serverUrl": "https://example.com/mcp"
    },
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
