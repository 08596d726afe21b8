import {rooCode} from '../../../src/assistants/catalogue/roo-code.ts';
import {testAssistant} from './golden.ts';

testAssistant(rooCode, {
  files: {
    user: {
      linux: ['/home/ann/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'],
      darwin: [
        '/Users/ann/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
      ],
      win32: ['C:\\Roaming\\Code\\User\\globalStorage\\rooveterinaryinc.roo-cline\\settings\\mcp_settings.json'],
    },
    project: {
      linux: ['/work/app/.roo/mcp.json'],
      darwin: ['/work/app/.roo/mcp.json'],
      win32: ['D:\\app\\.roo\\mcp.json'],
    },
  },
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "type": "streamable-http",
      "url": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      },
      "disabled": false,
      "alwaysAllow": []
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
      "disabled": false,
      "alwaysAllow": []
    }
  }
}
`,
  },
  inUse: [
    `{"mcpServers":{}}`,
    `{"mcpServers":{"acme":{"command":"/usr/bin/node","args":["bridge"],"disabled":false,"alwaysAllow":[]}}}`,
  ],
});
