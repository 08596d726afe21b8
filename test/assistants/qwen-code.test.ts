import {qwenCode} from '../../src/assistants/qwen-code.ts';
import {testAssistant} from './golden.ts';

testAssistant(qwenCode, {
  files: {
    user: {
      linux: ['/home/ann/.qwen/settings.json'],
      darwin: ['/Users/ann/.qwen/settings.json'],
      win32: ['C:\\Users\\ann\\.qwen\\settings.json'],
    },
    project: {
      linux: ['/work/app/.qwen/settings.json'],
      darwin: ['/work/app/.qwen/settings.json'],
      win32: ['D:\\app\\.qwen\\settings.json'],
    },
  },
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "httpUrl": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      }
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
      }
    }
  }
}
`,
  },
  inUse: [
    `{
  "$version": 3,
  "model": {
    "name": "some-model"
  } /* free tier */
}`,
    `{
  "$version": 3,
  "model": {
    "name": "some-model"
  }, /* free tier */
  "mcpServers": {
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
