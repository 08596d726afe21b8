import {copilotJetbrains} from '../../../src/assistants/catalogue/copilot-jetbrains.ts';
import {testAssistant} from './golden.ts';

testAssistant(copilotJetbrains, {
  files: {
    user: {
      linux: ['/home/ann/.config/github-copilot/intellij/mcp.json'],
      darwin: ['/Users/ann/.config/github-copilot/intellij/mcp.json'],
      win32: ['C:\\Users\\ann\\AppData\\Local\\github-copilot\\intellij\\mcp.json'],
    },
    project: {linux: [], darwin: [], win32: []},
  },
  moved: [[{XDG_CONFIG_HOME: '/xdg'}, ['/xdg/github-copilot/intellij/mcp.json']]],
  texts: {
    header: `{
  "servers": {
    "acme": {
      "url": "http://api.acme.localhost:8080/mcp",
      "requestInit": {
        "headers": {
          "Authorization": "Bearer T"
        }
      }
    }
  }
}
`,
    command: `{
  "servers": {
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
  // As the plugin creates it.
  inUse: [
    `{
    "servers": {
        // add your MCP stdio servers configuration here
        // example:
        // "my-mcp-server": {
        //     "type": "stdio",
        //     "command": "my-command",
        //     "args": [],
        //     "env": {
        //         "TOKEN": "my_token"
        //     }
        // }
        "mine": {
            "command": "npx",
            "args": ["-y", "@jetbrains/mcp-proxy"]
        }
    }
}
`,
    `{
    "servers": {
        // add your MCP stdio servers configuration here
        // example:
        // "my-mcp-server": {
        //     "type": "stdio",
        //     "command": "my-command",
        //     "args": [],
        //     "env": {
        //         "TOKEN": "my_token"
        //     }
        // }
        "mine": {
            "command": "npx",
            "args": ["-y", "@jetbrains/mcp-proxy"]
        },
        "acme": {
            "type": "stdio",
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
