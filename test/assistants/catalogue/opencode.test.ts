import {openCode} from '../../../src/assistants/catalogue/opencode.ts';
import {testAssistant} from './golden.ts';

testAssistant(openCode, {
  files: {
    user: {
      linux: ['/home/ann/.config/opencode/opencode.jsonc', '/home/ann/.config/opencode/opencode.json'],
      darwin: ['/Users/ann/.config/opencode/opencode.jsonc', '/Users/ann/.config/opencode/opencode.json'],
      win32: ['C:\\Users\\ann\\.config\\opencode\\opencode.jsonc', 'C:\\Users\\ann\\.config\\opencode\\opencode.json'],
    },
    project: {
      linux: [
        '/work/app/opencode.json',
        '/work/app/opencode.jsonc',
        '/work/app/.opencode/opencode.json',
        '/work/app/.opencode/opencode.jsonc',
      ],
      darwin: [
        '/work/app/opencode.json',
        '/work/app/opencode.jsonc',
        '/work/app/.opencode/opencode.json',
        '/work/app/.opencode/opencode.jsonc',
      ],
      win32: [
        'D:\\app\\opencode.json',
        'D:\\app\\opencode.jsonc',
        'D:\\app\\.opencode\\opencode.json',
        'D:\\app\\.opencode\\opencode.jsonc',
      ],
    },
  },
  moved: [
    [{XDG_CONFIG_HOME: '/xdg'}, ['/xdg/opencode/opencode.jsonc', '/xdg/opencode/opencode.json']],
    [
      {XDG_CONFIG_HOME: 'relative'},
      ['/home/ann/.config/opencode/opencode.jsonc', '/home/ann/.config/opencode/opencode.json'],
    ],
  ],
  texts: {
    oauth: `{
  "mcp": {
    "acme": {
      "type": "remote",
      "url": "http://api.acme.localhost:8080/mcp",
      "enabled": true,
      "oauth": {
        "clientId": "user_mcp_client"
      }
    }
  }
}
`,
    header: `{
  "mcp": {
    "acme": {
      "type": "remote",
      "url": "http://api.acme.localhost:8080/mcp",
      "enabled": true,
      "oauth": false,
      "headers": {
        "Authorization": "Bearer T"
      }
    }
  }
}
`,
    command: `{
  "mcp": {
    "acme": {
      "type": "local",
      "command": [
        "/usr/bin/node",
        "/opt/it’s/setup.js",
        "mcp",
        "serve",
        "control-plane"
      ],
      "environment": {
        "SETUP_HOME": "/home/ann/.setup"
      },
      "enabled": true
    }
  }
}
`,
  },
  inUse: [
    `{
  "$schema": "https://opencode.ai/config.json",
  "model": "anthropic/some-model",
  "mcp": {
    "jira": {"type": "remote", "url": "https://jira.example.com/mcp", "enabled": false}
  },
  // keys
  "keybinds": {"leader": "ctrl+x"}
}
`,
    `{
  "$schema": "https://opencode.ai/config.json",
  "model": "anthropic/some-model",
  "mcp": {
    "jira": {"type": "remote", "url": "https://jira.example.com/mcp", "enabled": false},
    "acme": {
      "type": "local",
      "command": [
        "/usr/bin/node",
        "bridge"
      ],
      "enabled": true
    }
  },
  // keys
  "keybinds": {"leader": "ctrl+x"}
}
`,
  ],
});
