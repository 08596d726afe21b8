import {factoryDroid} from '../../../src/assistants/catalogue/factory-droid.ts';
import {testAssistant} from './golden.ts';

testAssistant(factoryDroid, {
  files: {
    user: {
      linux: ['/home/ann/.factory/mcp.json'],
      darwin: ['/Users/ann/.factory/mcp.json'],
      win32: ['C:\\Users\\ann\\.factory\\mcp.json'],
    },
    project: {
      linux: ['/work/app/.factory/mcp.json'],
      darwin: ['/work/app/.factory/mcp.json'],
      win32: ['D:\\app\\.factory\\mcp.json'],
    },
  },
  moved: [[{FACTORY_HOME_OVERRIDE: '/home/work'}, ['/home/work/.factory/mcp.json']]],
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "type": "http",
      "url": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      },
      "oauth": false,
      "disabled": false
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
      },
      "disabled": false
    }
  }
}
`,
  },
  // As `droid mcp add` of 0.215.0 writes it.
  inUse: [
    `{
  "mcpServers": {
    "mine": {
      "type": "stdio",
      "command": "node",
      "args": [
        "server.js"
      ],
      "disabled": false
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
      "disabled": false
    },
    "acme": {
      "type": "stdio",
      "command": "/usr/bin/node",
      "args": [
        "bridge"
      ],
      "disabled": false
    }
  }
}`,
  ],
});
