import {grokBuild} from '../../../src/assistants/catalogue/grok-build.ts';
import {testAssistant} from './golden.ts';

testAssistant(grokBuild, {
  files: {
    user: {
      linux: ['/home/ann/.grok/config.toml'],
      darwin: ['/Users/ann/.grok/config.toml'],
      win32: ['C:\\Users\\ann\\.grok\\config.toml'],
    },
    project: {
      linux: ['/work/app/.grok/config.toml'],
      darwin: ['/work/app/.grok/config.toml'],
      win32: ['D:\\app\\.grok\\config.toml'],
    },
  },
  moved: [[{GROK_HOME: '/home/work'}, ['/home/work/config.toml']]],
  texts: {
    header: `[mcp_servers.acme]
url = "http://api.acme.localhost:8080/mcp"
headers = { Authorization = "Bearer T" }
enabled = true
`,
    command: `[mcp_servers.acme]
command = "/usr/bin/node"
args = ["/opt/it’s/setup.js", "mcp", "serve", "control-plane"]
env = { SETUP_HOME = "/home/ann/.setup" }
enabled = true
`,
  },
  // As `grok mcp add` and `grok mcp disable` of 1.0.41 write it.
  inUse: [
    `disabled_mcp_servers = ["mine"]

[mcp_servers.mine]
command = "node"
args = ["server.js"]
enabled = false

[mcp_servers.mine.env]
A = "b"
`,
    `disabled_mcp_servers = ["mine"]

[mcp_servers.mine]
command = "node"
args = ["server.js"]
enabled = false

[mcp_servers.mine.env]
A = "b"

[mcp_servers.acme]
command = "/usr/bin/node"
args = ["bridge"]
enabled = true
`,
  ],
});
