import {mistralVibe} from '../../../src/assistants/catalogue/mistral-vibe.ts';
import {testAssistant} from './golden.ts';

testAssistant(mistralVibe, {
  files: {
    user: {
      linux: ['/home/ann/.vibe/config.toml'],
      darwin: ['/Users/ann/.vibe/config.toml'],
      win32: ['C:\\Users\\ann\\.vibe\\config.toml'],
    },
    project: {
      linux: ['/work/app/.vibe/config.toml'],
      darwin: ['/work/app/.vibe/config.toml'],
      win32: ['D:\\app\\.vibe\\config.toml'],
    },
  },
  moved: [[{VIBE_HOME: '/home/work'}, ['/home/work/config.toml']]],
  texts: {
    header: `[[mcp_servers]]
name = "acme"
transport = "streamable-http"
url = "http://api.acme.localhost:8080/mcp"
headers = { Authorization = "Bearer T" }
`,
    command: `[[mcp_servers]]
name = "acme"
transport = "stdio"
command = ["/usr/bin/node", "/opt/it’s/setup.js", "mcp", "serve", "control-plane"]
env = { SETUP_HOME = "/home/ann/.setup" }
`,
  },
  // As its documentation shows an entry with a sign-in (github.com/mistralai/mistral-vibe, README).
  inUse: [
    `default_agent = "plan"

[[mcp_servers]]
name = "linear"
transport = "streamable-http"
url = "https://mcp.linear.app/mcp"

[mcp_servers.auth]
type = "oauth"
scopes = []

[tools.bash]
permission = "ask"
`,
    `default_agent = "plan"

[[mcp_servers]]
name = "linear"
transport = "streamable-http"
url = "https://mcp.linear.app/mcp"

[mcp_servers.auth]
type = "oauth"
scopes = []

[tools.bash]
permission = "ask"

[[mcp_servers]]
name = "acme"
transport = "stdio"
command = ["/usr/bin/node", "bridge"]
`,
  ],
});
