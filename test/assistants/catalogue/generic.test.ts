import {generic} from '../../../src/assistants/catalogue/generic.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

testAssistant(generic, {
  files: {
    user: {linux: [], darwin: [], win32: []},
    project: {linux: ['/work/app/mcp.json'], darwin: ['/work/app/mcp.json'], win32: ['D:\\app\\mcp.json']},
  },
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
});
