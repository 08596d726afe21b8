import {vscode} from '../../../src/assistants/catalogue/vscode.ts';
import {testAssistant} from './golden.ts';

testAssistant(vscode, {
  files: {
    user: {
      linux: ['/home/ann/.config/Code/User/mcp.json'],
      darwin: ['/Users/ann/Library/Application Support/Code/User/mcp.json'],
      win32: ['C:\\Roaming\\Code\\User\\mcp.json'],
    },
    project: {
      linux: ['/work/app/.vscode/mcp.json'],
      darwin: ['/work/app/.vscode/mcp.json'],
      win32: ['D:\\app\\.vscode\\mcp.json'],
    },
  },
  moved: [[{XDG_CONFIG_HOME: '/xdg'}, ['/xdg/Code/User/mcp.json']]],
  texts: {
    oauth: `{
  "servers": {
    "acme": {
      "type": "http",
      "url": "http://api.acme.localhost:8080/mcp",
      "oauth": {
        "clientId": "user_mcp_client"
      }
    }
  }
}
`,
    header: `{
  "servers": {
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
  inUse: [
    [
      '{',
      '\t// Workspace servers',
      '\t"inputs": [',
      '\t\t{"type": "promptString", "id": "tok", "password": true},',
      '\t],',
      '\t"servers": {',
      '\t\t"github": {',
      '\t\t\t"type": "http",',
      '\t\t\t"url": "https://api.githubcopilot.com/mcp/",',
      '\t\t}, // hosted',
      '\t},',
      '}',
      '',
    ].join('\n'),
    [
      '{',
      '\t// Workspace servers',
      '\t"inputs": [',
      '\t\t{"type": "promptString", "id": "tok", "password": true},',
      '\t],',
      '\t"servers": {',
      '\t\t"github": {',
      '\t\t\t"type": "http",',
      '\t\t\t"url": "https://api.githubcopilot.com/mcp/",',
      '\t\t}, // hosted',
      '\t\t"acme": {',
      '\t\t\t"type": "stdio",',
      '\t\t\t"command": "/usr/bin/node",',
      '\t\t\t"args": [',
      '\t\t\t\t"bridge"',
      '\t\t\t]',
      '\t\t},',
      '\t},',
      '}',
      '',
    ].join('\n'),
  ],
});
