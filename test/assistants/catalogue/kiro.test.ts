import {kiro} from '../../../src/assistants/catalogue/kiro.ts';
import {testAssistant} from './golden.ts';

testAssistant(kiro, {
  files: {
    user: {
      linux: ['/home/ann/.kiro/settings/mcp.json'],
      darwin: ['/Users/ann/.kiro/settings/mcp.json'],
      win32: ['C:\\Users\\ann\\.kiro\\settings\\mcp.json'],
    },
    project: {
      linux: ['/work/app/.kiro/settings/mcp.json'],
      darwin: ['/work/app/.kiro/settings/mcp.json'],
      win32: ['D:\\app\\.kiro\\settings\\mcp.json'],
    },
  },
  texts: {
    header: `{
  "mcpServers": {
    "acme": {
      "url": "http://api.acme.localhost:8080/mcp",
      "headers": {
        "Authorization": "Bearer T"
      },
      "disabled": false,
      "autoApprove": []
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
      },
      "disabled": false,
      "autoApprove": []
    }
  }
}
`,
  },
  inUse: [
    `{
    "mcpServers": {
        "aws-docs": {
            "command": "uvx",
            "args": ["awslabs.aws-documentation-mcp-server@latest"],
            "env": {"FASTMCP_LOG_LEVEL": "ERROR"},
            "disabled": false,
            "autoApprove": []
        }
    },
    "powers": {"mcpServers": {}}
}
`,
    `{
    "mcpServers": {
        "aws-docs": {
            "command": "uvx",
            "args": ["awslabs.aws-documentation-mcp-server@latest"],
            "env": {"FASTMCP_LOG_LEVEL": "ERROR"},
            "disabled": false,
            "autoApprove": []
        },
        "acme": {
            "command": "/usr/bin/node",
            "args": [
                "bridge"
            ],
            "disabled": false,
            "autoApprove": []
        }
    },
    "powers": {"mcpServers": {}}
}
`,
  ],
});
