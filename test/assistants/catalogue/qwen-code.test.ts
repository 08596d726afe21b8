import {qwenCode} from '../../../src/assistants/catalogue/qwen-code.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(qwenCode, {
  files: {
    user: {
      linux: ['/home/ann/.qwen/settings.json'],
      darwin: ['/Users/ann/.qwen/settings.json'],
      win32: ['C:\\Users\\ann\\.qwen\\settings.json'],
    },
    project: {
      linux: ['/work/app/.qwen/settings.json'],
      darwin: ['/work/app/.qwen/settings.json'],
      win32: ['D:\\app\\.qwen\\settings.json'],
    },
  },
  moved: [[{QWEN_HOME: '/etc/qwen'}, ['/etc/qwen/settings.json']]],
  texts: {
    oauth: `{
  "mcpServers": {
    "acme": {
      "httpUrl": "http://api.acme.localhost:8080/mcp",
      "oauth": {
        "enabled": true,
        "clientId": "user_mcp_client",
        "redirectUri": "http://localhost:7777/oauth/callback"
      }
    }
  }
}
`,
    header: `{
  "mcpServers": {
    "acme": {
      "httpUrl": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      }
    }
  }
}
`,
    command: PLAIN_COMMAND,
  },
  // As `qwen mcp add` of 0.24.4 writes it and its next start completes it.
  inUse: [
    `{
  "mcpServers": {
    "mine": {
      "command": "node",
      "args": [
        "server.js"
      ]
    }
  },
  "$version": 4
}`,
    `{
  "mcpServers": {
    "mine": {
      "command": "node",
      "args": [
        "server.js"
      ]
    },
    "acme": {
      "command": "/usr/bin/node",
      "args": [
        "bridge"
      ]
    }
  },
  "$version": 4
}`,
  ],
});
