import {describe} from 'vitest';
import {documented, generic} from '../../../src/assistants/catalogue/generic.ts';
import {PLAIN_COMMAND, testAssistant} from './golden.ts';

const fileNamed = (name: string) => ({
  user: {linux: [], darwin: [], win32: []},
  project: {linux: [`/work/app/${name}`], darwin: [`/work/app/${name}`], win32: [`D:\\app\\${name}`]},
});

const inUse = (...type: readonly string[]) =>
  [
    ['﻿{', '  "mcpServers": {', '    "other": {"command": "x"}', '  }', '}', ''].join('\n'),
    [
      '﻿{',
      '  "mcpServers": {',
      '    "other": {"command": "x"},',
      '    "acme": {',
      ...type,
      '      "command": "/usr/bin/node",',
      '      "args": [',
      '        "bridge"',
      '      ]',
      '    }',
      '  }',
      '}',
      '',
    ].join('\n'),
  ] as const;

describe('as most clients read it', () => {
  testAssistant(generic, {
    files: fileNamed('.mcp.json'),
    inUse: inUse('      "type": "stdio",'),
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
      command: PLAIN_COMMAND.replace('"command"', '"type": "stdio",\n      "command"'),
    },
  });
});

describe('as the platform documents it', () => {
  testAssistant(documented, {
    files: fileNamed('mcp.json'),
    inUse: inUse(),
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
