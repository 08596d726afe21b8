import {expect, test} from 'vitest';
import {kiloCode} from '../../../src/assistants/catalogue/kilo-code.ts';
import {places, testAssistant} from './golden.ts';

testAssistant(kiloCode, {
  files: {
    user: {
      linux: ['/home/ann/.config/kilo/kilo.jsonc', '/home/ann/.config/kilo/kilo.json'],
      darwin: ['/Users/ann/.config/kilo/kilo.jsonc', '/Users/ann/.config/kilo/kilo.json'],
      win32: ['C:\\Users\\ann\\.config\\kilo\\kilo.jsonc', 'C:\\Users\\ann\\.config\\kilo\\kilo.json'],
    },
    project: {
      linux: ['/work/app/kilo.json', '/work/app/kilo.jsonc', '/work/app/.kilo/kilo.json', '/work/app/.kilo/kilo.jsonc'],
      darwin: [
        '/work/app/kilo.json',
        '/work/app/kilo.jsonc',
        '/work/app/.kilo/kilo.json',
        '/work/app/.kilo/kilo.jsonc',
      ],
      win32: ['D:\\app\\kilo.json', 'D:\\app\\kilo.jsonc', 'D:\\app\\.kilo\\kilo.json', 'D:\\app\\.kilo\\kilo.jsonc'],
    },
  },
  moved: [[{XDG_CONFIG_HOME: '/etc/xdg'}, ['/etc/xdg/kilo/kilo.jsonc', '/etc/xdg/kilo/kilo.json']]],
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
  // As `kilo mcp add` of 7.7.7 writes it and its first start completes it.
  inUse: [
    `{
  "$schema": "https://app.kilo.ai/config.json",
  "mcp": {
    "mine": {
      "type": "remote",
      "url": "http://127.0.0.1:1/mcp"
    }
  },
  "permission": {
    "bash": "allow"
  }
}`,
    `{
  "$schema": "https://app.kilo.ai/config.json",
  "mcp": {
    "mine": {
      "type": "remote",
      "url": "http://127.0.0.1:1/mcp"
    },
    "acme": {
      "type": "local",
      "command": [
        "/usr/bin/node",
        "bridge"
      ],
      "enabled": true
    }
  },
  "permission": {
    "bash": "allow"
  }
}`,
  ],
});

test('sees every file that it merges', () => {
  expect(kiloCode.alsoReads?.('user', places.linux)).toEqual(
    ['kilo.json', 'kilo.jsonc', 'config.json', 'opencode.json', 'opencode.jsonc'].map(
      name => `/home/ann/.config/kilo/${name}`,
    ),
  );
  expect(kiloCode.alsoReads?.('project', places.linux)).toEqual(
    [
      'kilo.json',
      'kilo.jsonc',
      '.kilo/kilo.json',
      '.kilo/kilo.jsonc',
      'opencode.json',
      'opencode.jsonc',
      '.kilo/opencode.json',
      '.kilo/opencode.jsonc',
      '.kilocode/kilo.json',
      '.kilocode/kilo.jsonc',
    ].map(name => `/work/app/${name}`),
  );
});
