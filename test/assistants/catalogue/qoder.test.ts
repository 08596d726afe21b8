import {qoder} from '../../../src/assistants/catalogue/qoder.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(qoder, {
  files: {
    user: {
      linux: ['/home/ann/.qoder/settings.json'],
      darwin: ['/Users/ann/.qoder/settings.json'],
      win32: ['C:\\Users\\ann\\.qoder\\settings.json'],
    },
    project: {linux: ['/work/app/.mcp.json'], darwin: ['/work/app/.mcp.json'], win32: ['D:\\app\\.mcp.json']},
  },
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "url": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      },
      "type": "http"
    }
  }
}
`,
    command: PLAIN_COMMAND,
  },
  // As `qodercli mcp add` and `qodercli mcp disable` of 1.1.52 write it.
  inUse: [
    `{
  "mcpServers": {
    "mine": {
      "command": "node",
      "args": [
        "server.js"
      ],
      "env": {
        "A": "b"
      },
      "disabled": true
    }
  }
}`,
    `{
  "mcpServers": {
    "mine": {
      "command": "node",
      "args": [
        "server.js"
      ],
      "env": {
        "A": "b"
      },
      "disabled": true
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
