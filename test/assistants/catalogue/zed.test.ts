import {zed} from '../../../src/assistants/catalogue/zed.ts';
import {testAssistant} from './golden.ts';

testAssistant(zed, {
  files: {
    user: {
      linux: ['/home/ann/.config/zed/settings.json'],
      darwin: ['/Users/ann/.config/zed/settings.json'],
      win32: ['C:\\Roaming\\Zed\\settings.json'],
    },
    project: {
      linux: ['/work/app/.zed/settings.json'],
      darwin: ['/work/app/.zed/settings.json'],
      win32: ['D:\\app\\.zed\\settings.json'],
    },
  },
  moved: [
    [{XDG_CONFIG_HOME: '/xdg'}, ['/xdg/zed/settings.json']],
    [{XDG_CONFIG_HOME: '/xdg', FLATPAK_XDG_CONFIG_HOME: '/flatpak'}, ['/flatpak/zed/settings.json']],
  ],
  texts: {
    header: `{
  "context_servers": {
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
  "context_servers": {
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
    `// Zed settings
//
// For information on how to configure Zed, see the documentation.
{
  "theme": {
    "mode": "system",
    "light": "One Light",
  },
  "vim_mode": true,
}
`,
    `// Zed settings
//
// For information on how to configure Zed, see the documentation.
{
  "theme": {
    "mode": "system",
    "light": "One Light",
  },
  "vim_mode": true,
  "context_servers": {
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
