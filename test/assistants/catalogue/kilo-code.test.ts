import {kiloCode} from '../../../src/assistants/catalogue/kilo-code.ts';
import {testAssistant} from './golden.ts';

testAssistant(kiloCode, {
  files: {
    user: {
      linux: ['/home/ann/.config/kilo/kilo.json', '/home/ann/.config/kilo/kilo.jsonc'],
      darwin: ['/Users/ann/.config/kilo/kilo.json', '/Users/ann/.config/kilo/kilo.jsonc'],
      win32: ['C:\\Users\\ann\\.config\\kilo\\kilo.json', 'C:\\Users\\ann\\.config\\kilo\\kilo.jsonc'],
    },
    project: {
      linux: ['/work/app/kilo.json', '/work/app/.kilo/kilo.json', '/work/app/.kilo/kilo.jsonc'],
      darwin: ['/work/app/kilo.json', '/work/app/.kilo/kilo.json', '/work/app/.kilo/kilo.jsonc'],
      win32: ['D:\\app\\kilo.json', 'D:\\app\\.kilo\\kilo.json', 'D:\\app\\.kilo\\kilo.jsonc'],
    },
  },
  moved: [[{XDG_CONFIG_HOME: '/etc/xdg'}, ['/etc/xdg/kilo/kilo.json', '/etc/xdg/kilo/kilo.jsonc']]],
  texts: {
    header: `{
  "mcp": {
    "acme": {
      "type": "remote",
      "url": "http://api.acme.localhost:8080/mcp",
      "enabled": true,
      "oauth": false,
      "headers": {
        "Authorization": "Bearer T"
      }
    }
  }
}
`,
    command: `{
  "mcp": {
    "acme": {
      "type": "local",
      "command": [
        "/usr/bin/node",
        "/opt/it’s/setup.js",
        "mcp",
        "serve",
        "control-plane"
      ],
      "environment": {
        "SETUP_HOME": "/home/ann/.setup"
      },
      "enabled": true
    }
  }
}
`,
  },
  inUse: [
    ['{', '\t"$schema": "https://app.kilo.ai/config.json",', '\t"permission": {"bash": "ask"},', '}', ''].join('\n'),
    [
      '{',
      '\t"$schema": "https://app.kilo.ai/config.json",',
      '\t"permission": {"bash": "ask"},',
      '\t"mcp": {',
      '\t\t"acme": {',
      '\t\t\t"type": "local",',
      '\t\t\t"command": [',
      '\t\t\t\t"/usr/bin/node",',
      '\t\t\t\t"bridge"',
      '\t\t\t],',
      '\t\t\t"enabled": true',
      '\t\t}',
      '\t},',
      '}',
      '',
    ].join('\n'),
  ],
});
