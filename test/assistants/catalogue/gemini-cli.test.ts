import {geminiCli} from '../../../src/assistants/catalogue/gemini-cli.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(geminiCli, {
  files: {
    user: {
      linux: ['/home/ann/.gemini/settings.json'],
      darwin: ['/Users/ann/.gemini/settings.json'],
      win32: ['C:\\Users\\ann\\.gemini\\settings.json'],
    },
    project: {
      linux: ['/work/app/.gemini/settings.json'],
      darwin: ['/work/app/.gemini/settings.json'],
      win32: ['D:\\app\\.gemini\\settings.json'],
    },
  },
  moved: [[{GEMINI_CLI_HOME: '/home/work'}, ['/home/work/.gemini/settings.json']]],
  texts: {
    header: `{
  "mcpServers": {
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
    command: PLAIN_COMMAND,
  },
  inUse: [
    `{
  // Look and feel
  "ui": {
    "theme": "GitHub"
  },
  "security": {
    "auth": {
      "selectedType": "oauth-personal"
    }
  }
}`,
    `{
  // Look and feel
  "ui": {
    "theme": "GitHub"
  },
  "security": {
    "auth": {
      "selectedType": "oauth-personal"
    }
  },
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
