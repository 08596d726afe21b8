import {amp} from '../../../src/assistants/catalogue/amp.ts';
import {testAssistant} from './golden.ts';

testAssistant(amp, {
  files: {
    user: {
      linux: ['/home/ann/.config/amp/settings.json', '/home/ann/.config/amp/settings.jsonc'],
      darwin: ['/Users/ann/.config/amp/settings.json', '/Users/ann/.config/amp/settings.jsonc'],
      win32: ['C:\\Users\\ann\\.config\\amp\\settings.json', 'C:\\Users\\ann\\.config\\amp\\settings.jsonc'],
    },
    project: {
      linux: ['/work/app/.amp/settings.json', '/work/app/.amp/settings.jsonc'],
      darwin: ['/work/app/.amp/settings.json', '/work/app/.amp/settings.jsonc'],
      win32: ['D:\\app\\.amp\\settings.json', 'D:\\app\\.amp\\settings.jsonc'],
    },
  },
  moved: [[{XDG_CONFIG_HOME: '/etc/xdg'}, ['/etc/xdg/amp/settings.json', '/etc/xdg/amp/settings.jsonc']]],
  texts: {
    header: `{
  "amp.mcpServers": {
    "acme": {
      "url": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      }
    }
  }
}
`,
    command: `{
  "amp.mcpServers": {
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
      }
    }
  }
}
`,
  },
  // As `amp mcp add` of 0.0.1790142911 writes it.
  inUse: [
    `{
  "amp.mcpServers": {
    "mine": {
      "command": "node",
      "args": [
        "server.js"
      ]
    }
  }
}`,
    `{
  "amp.mcpServers": {
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
  }
}`,
  ],
});
