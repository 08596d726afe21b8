import {claudeCode} from '../../../src/assistants/catalogue/claude-code.ts';
import {testAssistant} from './golden.ts';

testAssistant(claudeCode, {
  files: {
    user: {
      linux: ['/home/ann/.claude.json'],
      darwin: ['/Users/ann/.claude.json'],
      win32: ['C:\\Users\\ann\\.claude.json'],
    },
    project: {linux: ['/work/app/.mcp.json'], darwin: ['/work/app/.mcp.json'], win32: ['D:\\app\\.mcp.json']},
  },
  moved: [
    [{CLAUDE_CONFIG_DIR: '/etc/claude'}, ['/etc/claude/.claude.json']],
    [{CLAUDE_CONFIG_DIR: ''}, ['/home/ann/.claude.json']],
    [{XDG_CONFIG_HOME: '/xdg'}, ['/home/ann/.claude.json']],
  ],
  texts: {
    oauth: `{
  "mcpServers": {
    "acme": {
      "type": "http",
      "url": "http://api.acme.localhost:8080/mcp",
      "oauth": {
        "clientId": "user_mcp_client",
        "callbackPort": 8075
      }
    }
  }
}
`,
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
    helper: `{
  "mcpServers": {
    "acme": {
      "type": "http",
      "url": "http://api.acme.localhost:8080/mcp",
      "headersHelper": "/usr/bin/node '/opt/it’s/setup.js' mcp serve control-plane"
    }
  }
}
`,
    command: `{
  "mcpServers": {
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
    `{
  "numStartups": 41,
  "projects": {
    "/work/app": {
      "allowedTools": [],
      "mcpServers": {}
    }
  },
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.githubcopilot.com/mcp/"
    }
  }
}`,
    `{
  "numStartups": 41,
  "projects": {
    "/work/app": {
      "allowedTools": [],
      "mcpServers": {}
    }
  },
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.githubcopilot.com/mcp/"
    },
    "acme": {
      "type": "stdio",
      "command": "/usr/bin/node",
      "args": [
        "bridge"
      ]
    }
  }
}`,
  ],
});
