import {visualStudio} from '../../../src/assistants/catalogue/visual-studio.ts';
import {testAssistant} from './golden.ts';

testAssistant(visualStudio, {
  files: {
    user: {linux: [], darwin: [], win32: ['C:\\Users\\ann\\.mcp.json']},
    project: {linux: [], darwin: [], win32: ['D:\\app\\.vs\\mcp.json']},
  },
  texts: {
    header: `{
  "servers": {
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
  "servers": {
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
    '{"servers": {"mine": {"command": "node"}}}',
    '{"servers": {"mine": {"command": "node"}, "acme": {"type": "stdio", "command": "/usr/bin/node", "args": ["bridge"]}}}',
  ],
});
