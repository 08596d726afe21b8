import {auggie} from '../../../src/assistants/catalogue/auggie.ts';
import {testAssistant} from './golden.ts';

testAssistant(auggie, {
  files: {
    user: {
      linux: ['/home/ann/.augment/settings.json'],
      darwin: ['/Users/ann/.augment/settings.json'],
      win32: ['C:\\Users\\ann\\.augment\\settings.json'],
    },
    project: {
      linux: ['/work/app/.augment/settings.json'],
      darwin: ['/work/app/.augment/settings.json'],
      win32: ['D:\\app\\.augment\\settings.json'],
    },
  },
  moved: [],
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "type": "http",
      "url": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      }
    }
  }
}
`,
    command: `{
  "mcpServers": {
    "acme": {
      "type": "stdio",
      "command": "/usr/bin/node",
      "args": [
        "/opt/it’s/setup.js",
        "mcp",
        "serve",
        "control-plane"
      ],
      "env": {
        "SETUP_HOME": "/home/ann/.setup"
      }
    }
  }
}
`,
  },
  // As `auggie mcp add` of 0.36.0 writes it.
  inUse: [
    `{
  "mcpServers": {
    "mine": {
      "type": "stdio",
      "command": "node",
      "args": [
        "server.js"
      ],
      "env": {}
    }
  }
}`,
    `{
  "mcpServers": {
    "mine": {
      "type": "stdio",
      "command": "node",
      "args": [
        "server.js"
      ],
      "env": {}
    },
    "acme": {
      "type": "stdio",
      "command": "/usr/bin/node",
      "args": [
        "bridge"
      ]
    }
  }
}`,
  ],
});
