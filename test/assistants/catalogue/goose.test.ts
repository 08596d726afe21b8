import {goose} from '../../../src/assistants/catalogue/goose.ts';
import {testAssistant} from './golden.ts';

testAssistant(goose, {
  files: {
    user: {
      linux: ['/home/ann/.config/goose/config.yaml'],
      darwin: ['/Users/ann/.config/goose/config.yaml'],
      win32: ['C:\\Roaming\\Block\\goose\\config\\config.yaml'],
    },
    project: {linux: [], darwin: [], win32: []},
  },
  texts: {
    header: `extensions:
  acme:
    name: "acme"
    description: ""
    type: "streamable_http"
    uri: "http://api.acme.localhost:8080/mcp"
    headers:
      Authorization: "Bearer T"
    enabled: true
    timeout: 300
`,
    command: `extensions:
  acme:
    name: "acme"
    description: ""
    type: "stdio"
    cmd: "/usr/bin/node"
    args:
      - "/opt/it’s/setup.js"
      - "mcp"
      - "serve"
      - "control-plane"
    envs:
      SETUP_HOME: "/home/ann/.setup"
    enabled: true
    timeout: 300
`,
  },
  inUse: [
    `GOOSE_PROVIDER: anthropic
extensions:
  developer:
    bundled: true
    enabled: true
    name: developer
    timeout: 300
    type: builtin
  memory:
    enabled: false
    name: memory
    type: builtin
GOOSE_MODEL: 'some-model'
`,
    `GOOSE_PROVIDER: anthropic
extensions:
  acme:
    name: "acme"
    description: ""
    type: "stdio"
    cmd: "/usr/bin/node"
    args:
      - "bridge"
    envs: {}
    enabled: true
    timeout: 300
  developer:
    bundled: true
    enabled: true
    name: developer
    timeout: 300
    type: builtin
  memory:
    enabled: false
    name: memory
    type: builtin
GOOSE_MODEL: 'some-model'
`,
  ],
});
