import {codexCli} from '../../../src/assistants/catalogue/codex-cli.ts';
import {testAssistant} from './golden.ts';

testAssistant(codexCli, {
  files: {
    user: {
      linux: ['/home/ann/.codex/config.toml'],
      darwin: ['/Users/ann/.codex/config.toml'],
      win32: ['C:\\Users\\ann\\.codex\\config.toml'],
    },
    project: {
      linux: ['/work/app/.codex/config.toml'],
      darwin: ['/work/app/.codex/config.toml'],
      win32: ['D:\\app\\.codex\\config.toml'],
    },
  },
  moved: [[{CODEX_HOME: '/etc/codex'}, ['/etc/codex/config.toml']]],
  texts: {
    oauth: `[mcp_servers.acme]
url = "http://api.acme.localhost:8080/mcp"
oauth = { client_id = "user_mcp_client" }
`,
    header: `[mcp_servers.acme]
url = "http://api.acme.localhost:8080/mcp"
http_headers = { Authorization = "Bearer T" }
`,
    helper: `[mcp_servers.acme]
url = "http://api.acme.localhost:8080/mcp"
http_headers_helper = "/usr/bin/node '/opt/it’s/setup.js' mcp serve control-plane"
`,
    command: `[mcp_servers.acme]
command = "/usr/bin/node"
args = ["/opt/it’s/setup.js", "mcp", "serve", "control-plane"]
env = { SETUP_HOME = "/home/ann/.setup" }
`,
  },
  inUse: [
    `model = "big-model"   # the big one
notify = [
  "terminal-notifier", # macOS
]

[projects."/work/app"]
trust_level = "trusted"

[mcp_servers.github]
url = "https://api.githubcopilot.com/mcp/"
# rotate in May
bearer_token_env_var = "GITHUB_TOKEN"

[tui]
notifications = true
`,
    `model = "big-model"   # the big one
notify = [
  "terminal-notifier", # macOS
]

[projects."/work/app"]
trust_level = "trusted"

[mcp_servers.github]
url = "https://api.githubcopilot.com/mcp/"
# rotate in May
bearer_token_env_var = "GITHUB_TOKEN"

[tui]
notifications = true

[mcp_servers.acme]
command = "/usr/bin/node"
args = ["bridge"]
`,
  ],
});
