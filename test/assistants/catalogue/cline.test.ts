import {expect} from 'vitest';
import {cline} from '../../../src/assistants/catalogue/cline.ts';
import {testAssistant} from './golden.ts';

testAssistant(cline, {
  files: {
    user: {
      linux: [
        '/home/ann/.cline/data/settings/cline_mcp_settings.json',
        '/home/ann/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      ],
      darwin: [
        '/Users/ann/.cline/data/settings/cline_mcp_settings.json',
        '/Users/ann/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      ],
      win32: [
        'C:\\Users\\ann\\.cline\\data\\settings\\cline_mcp_settings.json',
        'C:\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json',
      ],
    },
    project: {linux: [], darwin: [], win32: []},
  },
  moved: [
    [
      {CLINE_DATA_DIR: '/data', CLINE_MCP_SETTINGS_PATH: '/etc/servers.json'},
      ['/etc/servers.json', expect.any(String)],
    ],
    [{CLINE_DIR: '/etc/cline'}, ['/etc/cline/data/settings/cline_mcp_settings.json', expect.any(String)]],
    [
      {CLINE_DIR: '/etc/cline', CLINE_DATA_DIR: '/data'},
      ['/data/settings/cline_mcp_settings.json', expect.any(String)],
    ],
  ],
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "type": "streamableHttp",
      "url": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      },
      "disabled": false
    }
  }
}
`,
    command: `{
  "mcpServers": {
    "acme": {
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
  // As `cline mcp add` of 3.0.65 writes it.
  inUse: [
    `{
  "mcpServers": {
    "mine": {
      "transport": {
        "type": "stdio",
        "command": "node",
        "args": [
          "--version"
        ]
      }
    }
  }
}
`,
    `{
  "mcpServers": {
    "mine": {
      "transport": {
        "type": "stdio",
        "command": "node",
        "args": [
          "--version"
        ]
      }
    },
    "acme": {
      "command": "/usr/bin/node",
      "args": [
        "bridge"
      ],
      "disabled": false
    }
  }
}
`,
  ],
});
