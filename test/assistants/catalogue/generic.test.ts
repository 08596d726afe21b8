import {describe} from 'vitest';
import {documented, generic} from '../../../src/assistants/catalogue/generic.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

const file = {
  files: {
    user: {linux: [], darwin: [], win32: []},
    project: {linux: ['/work/app/mcp.json'], darwin: ['/work/app/mcp.json'], win32: ['D:\\app\\mcp.json']},
  },
  inUse: [
    ['﻿{', '  "mcpServers": {', '    "other": {"command": "x"}', '  }', '}', ''].join('\n'),
    [
      '﻿{',
      '  "mcpServers": {',
      '    "other": {"command": "x"},',
      '    "acme": {',
      '      "command": "/usr/bin/node",',
      '      "args": [',
      '        "bridge"',
      '      ]',
      '    }',
      '  }',
      '}',
      '',
    ].join('\n'),
  ],
} as const;

describe('as most clients read it', () => {
  testAssistant(generic, {
    ...file,
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
      command: PLAIN_COMMAND,
    },
  });
});

describe('as the platform documents it', () => {
  testAssistant(documented, {
    ...file,
    texts: {
      header: `{
  "mcpServers": {
    "acme": {
      "url": "http://api.acme.localhost:8080/mcp",
      "transport": {
        "type": "http",
        "headers": {
          "Authorization": "Bearer T"
        }
      }
    }
  }
}
`,
      command: PLAIN_COMMAND,
    },
  });
});
