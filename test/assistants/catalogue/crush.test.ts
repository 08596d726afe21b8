import {crush} from '../../../src/assistants/catalogue/crush.ts';
import {testAssistant} from './golden.ts';

testAssistant(crush, {
  files: {
    user: {
      linux: ['/home/ann/.config/crush/crush.json'],
      darwin: ['/Users/ann/.config/crush/crush.json'],
      win32: ['C:\\Users\\ann\\.config\\crush\\crush.json'],
    },
    project: {
      linux: ['/work/app/crush.json', '/work/app/.crush.json'],
      darwin: ['/work/app/crush.json', '/work/app/.crush.json'],
      win32: ['D:\\app\\crush.json', 'D:\\app\\.crush.json'],
    },
  },
  moved: [
    [{XDG_CONFIG_HOME: '/xdg'}, ['/xdg/crush/crush.json']],
    [{CRUSH_GLOBAL_CONFIG: '/etc/crush'}, ['/etc/crush/crush.json']],
  ],
  texts: {
    header: `{
  "mcp": {
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
  "mcp": {
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
  // As its documentation shows it.
  inUse: [
    `{
  "$schema": "https://charm.land/crush.json",
  "mcp": {
    "filesystem": {
      "type": "stdio",
      "command": "node",
      "args": ["/path/to/mcp-server.js"],
      "timeout": 120,
      "disabled": false
    }
  }
}
`,
    `{
  "$schema": "https://charm.land/crush.json",
  "mcp": {
    "filesystem": {
      "type": "stdio",
      "command": "node",
      "args": ["/path/to/mcp-server.js"],
      "timeout": 120,
      "disabled": false
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
