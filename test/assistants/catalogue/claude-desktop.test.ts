import {claudeDesktop} from '../../../src/assistants/catalogue/claude-desktop.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(claudeDesktop, {
  files: {
    user: {
      linux: ['/home/ann/.config/Claude/claude_desktop_config.json'],
      darwin: ['/Users/ann/Library/Application Support/Claude/claude_desktop_config.json'],
      win32: ['C:\\Roaming\\Claude\\claude_desktop_config.json'],
    },
    project: {linux: [], darwin: [], win32: []},
  },
  moved: [[{XDG_CONFIG_HOME: '/xdg'}, ['/xdg/Claude/claude_desktop_config.json']]],
  texts: {
    command: PLAIN_COMMAND,
  },
  inUse: [
    `{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ann"]
    }
  },
  "globalShortcut": ""
}
`,
    `{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ann"]
    },
    "acme": {
      "command": "/usr/bin/node",
      "args": [
        "bridge"
      ]
    }
  },
  "globalShortcut": ""
}
`,
  ],
});
