import {describe} from 'vitest';
import {xcodeClaude, xcodeCodex} from '../../../src/assistants/catalogue/xcode.ts';
import {testAssistant} from './golden.ts';

// The directories are documented at developer.apple.com/documentation/Xcode/setting-up-coding-intelligence. The files
// are those of each agent.
const inXcode = (path: string) => ({
  user: {linux: [], darwin: [`/Users/ann/Library/Developer/Xcode/CodingAssistant/${path}`], win32: []},
  project: {linux: [], darwin: [], win32: []},
});

describe('Claude Agent', () =>
  testAssistant(xcodeClaude, {
    files: inXcode('ClaudeAgentConfig/.claude.json'),
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
      '{"projects": {"/work/app": {"mcpServers": {}}}, "mcpServers": {"xcode-tools": {"command": "xcrun"}}}',
      '{"projects": {"/work/app": {"mcpServers": {}}}, "mcpServers": {"xcode-tools": {"command": "xcrun"}, "acme": {"type": "stdio", "command": "/usr/bin/node", "args": ["bridge"]}}}',
    ],
  }));

describe('Codex', () =>
  testAssistant(xcodeCodex, {
    files: inXcode('codex/config.toml'),
    texts: {
      header: `[mcp_servers.acme]
url = "http://api.acme.localhost:8080/mcp"
http_headers = { Authorization = "Bearer T" }
`,
      command: `[mcp_servers.acme]
command = "/usr/bin/node"
args = ["/opt/it’s/setup.js", "mcp", "serve", "control-plane"]
env = { SETUP_HOME = "/home/ann/.setup" }
`,
    },
    inUse: [
      'model = "gpt"\n\n[mcp_servers.xcode-tools]\ncommand = "xcrun"\nargs = ["mcpbridge"]\n',
      'model = "gpt"\n\n[mcp_servers.xcode-tools]\ncommand = "xcrun"\nargs = ["mcpbridge"]\n\n[mcp_servers.acme]\ncommand = "/usr/bin/node"\nargs = ["bridge"]\n',
    ],
  }));
