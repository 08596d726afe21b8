import {amp} from '../../../src/assistants/catalogue/amp.ts';
import {testAssistant} from './golden.ts';

testAssistant(amp, {
  files: {
    user: {
      linux: ['/home/ann/.config/amp/settings.json'],
      darwin: ['/Users/ann/.config/amp/settings.json'],
      win32: ['C:\\Users\\ann\\.config\\amp\\settings.json'],
    },
    project: {
      linux: ['/work/app/.amp/settings.json'],
      darwin: ['/work/app/.amp/settings.json'],
      win32: ['D:\\app\\.amp\\settings.json'],
    },
  },
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
  inUse: [
    `{
  // Amp
  "amp.notifications.enabled": true,
  "amp.tools.disable": ["browser_navigate"],
}
`,
    `{
  // Amp
  "amp.notifications.enabled": true,
  "amp.tools.disable": ["browser_navigate"],
  "amp.mcpServers": {
    "acme": {
      "command": "/usr/bin/node",
      "args": [
        "bridge"
      ]
    }
  },
}
`,
  ],
});
