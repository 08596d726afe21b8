import {continueDev} from '../../../src/assistants/catalogue/continue.ts';
import {testAssistant} from './golden.ts';

testAssistant(continueDev, {
  files: {
    user: {
      linux: ['/home/ann/.continue/config.yaml'],
      darwin: ['/Users/ann/.continue/config.yaml'],
      win32: ['C:\\Users\\ann\\.continue\\config.yaml'],
    },
    project: {
      linux: ['/work/app/.continue/mcpServers/platform-setup.yaml'],
      darwin: ['/work/app/.continue/mcpServers/platform-setup.yaml'],
      win32: ['D:\\app\\.continue\\mcpServers\\platform-setup.yaml'],
    },
  },
  moved: [[{CONTINUE_GLOBAL_DIR: '/etc/continue'}, ['/etc/continue/config.yaml']]],
  texts: {
    header: `name: Platform
version: 1.0.0
schema: v1
mcpServers:
  - name: "acme"
    type: "streamable-http"
    url: "http://api.acme.localhost:8080/mcp"
    requestOptions:
      headers:
        Authorization: "Bearer T"
`,
    command: `name: Platform
version: 1.0.0
schema: v1
mcpServers:
  - name: "acme"
    command: "/usr/bin/node"
    args:
      - "/opt/it’s/setup.js"
      - "mcp"
      - "serve"
      - "control-plane"
    env:
      SETUP_HOME: "/home/ann/.setup"
`,
  },
  // As its command line of 1.5.47 writes it at its first start, with one of two models.
  inUse: [
    `name: Main Config
version: 1.0.0
schema: v1
models:
  - name: Claude Sonnet 4.6
    provider: anthropic
    model: claude-sonnet-4-6
    apiKey: none
    roles:
      - chat
    defaultCompletionOptions:
      contextLength: 200000
      maxTokens: 64000
    capabilities:
      - tool_use
      - image_input
`,
    `name: Main Config
version: 1.0.0
schema: v1
models:
  - name: Claude Sonnet 4.6
    provider: anthropic
    model: claude-sonnet-4-6
    apiKey: none
    roles:
      - chat
    defaultCompletionOptions:
      contextLength: 200000
      maxTokens: 64000
    capabilities:
      - tool_use
      - image_input
mcpServers:
  - name: "acme"
    command: "/usr/bin/node"
    args:
      - "bridge"
`,
  ],
});
