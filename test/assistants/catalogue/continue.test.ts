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
  inUse: [
    [
      'name: Local Assistant',
      'version: 1.0.0',
      'schema: v1',
      '# My models',
      'models:',
      '- name: Mine',
      '  provider: anthropic',
      '  model: some-model',
      '  apiKey: "secret"',
      'mcpServers:',
      '# local',
      '- name: sqlite',
      '  command: npx',
      '  args: ["-y", "mcp-sqlite"]',
      '',
      'context:',
      '- provider: file',
      '',
    ].join('\n'),
    [
      'name: Local Assistant',
      'version: 1.0.0',
      'schema: v1',
      '# My models',
      'models:',
      '- name: Mine',
      '  provider: anthropic',
      '  model: some-model',
      '  apiKey: "secret"',
      'mcpServers:',
      '- name: "acme"',
      '  command: "/usr/bin/node"',
      '  args:',
      '    - "bridge"',
      '# local',
      '- name: sqlite',
      '  command: npx',
      '  args: ["-y", "mcp-sqlite"]',
      '',
      'context:',
      '- provider: file',
      '',
    ].join('\n'),
  ],
});
