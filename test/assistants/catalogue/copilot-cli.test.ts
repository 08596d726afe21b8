import {copilotCli} from '../../../src/assistants/catalogue/copilot-cli.ts';
import {testAssistant} from './golden.ts';

testAssistant(copilotCli, {
  files: {
    user: {
      linux: ['/home/ann/.copilot/mcp-config.json'],
      darwin: ['/Users/ann/.copilot/mcp-config.json'],
      win32: ['C:\\Users\\ann\\.copilot\\mcp-config.json'],
    },
    project: {
      linux: ['/work/app/.mcp.json', '/work/app/.github/mcp.json'],
      darwin: ['/work/app/.mcp.json', '/work/app/.github/mcp.json'],
      win32: ['D:\\app\\.mcp.json', 'D:\\app\\.github\\mcp.json'],
    },
  },
  moved: [
    [{COPILOT_HOME: '/etc/copilot'}, ['/etc/copilot/mcp-config.json']],
    [{XDG_CONFIG_HOME: '/xdg'}, ['/home/ann/.copilot/mcp-config.json']],
  ],
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "type": "http",
      "url": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      },
      "tools": [
        "*"
      ]
    }
  }
}
`,
    oauth: `{
  "mcpServers": {
    "acme": {
      "type": "http",
      "url": "http://api.acme.localhost:8080/mcp",
      "oauthClientId": "user_mcp_client",
      "oauthPublicClient": true,
      "auth": {
        "redirectPort": 33418
      },
      "tools": [
        "*"
      ]
    }
  }
}
`,
    command: `{
  "mcpServers": {
    "acme": {
      "type": "local",
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
      "tools": [
        "*"
      ]
    }
  }
}
`,
  },
  inUse: [
    [
      '{\r',
      '  "mcpServers": {\r',
      '    "playwright": {\r',
      '      "type": "local",\r',
      '      "command": "npx",\r',
      '      "args": ["@playwright/mcp@latest"],\r',
      '      "tools": ["*"]\r',
      '    }\r',
      '  }\r',
      '}\r',
      '',
    ].join('\n'),
    [
      '{\r',
      '  "mcpServers": {\r',
      '    "playwright": {\r',
      '      "type": "local",\r',
      '      "command": "npx",\r',
      '      "args": ["@playwright/mcp@latest"],\r',
      '      "tools": ["*"]\r',
      '    },\r',
      '    "acme": {\r',
      '      "type": "local",\r',
      '      "command": "/usr/bin/node",\r',
      '      "args": [\r',
      '        "bridge"\r',
      '      ],\r',
      '      "tools": [\r',
      '        "*"\r',
      '      ]\r',
      '    }\r',
      '  }\r',
      '}\r',
      '',
    ].join('\n'),
  ],
});
