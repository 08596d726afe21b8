import type {Assistant} from '../../../src/assistants/assistant.ts';
import type {System} from '../../../src/assistants/place.ts';
import {testAssistant} from './golden.ts';

/** Tests an editor based on VS Code's source: all write the same entries, and into the same file of a project. */
export const testCodeEditor = (
  editor: Assistant,
  user: Readonly<Record<System, readonly string[]>>,
  moved: readonly (readonly [env: Readonly<Record<string, string>>, files: readonly string[]])[] = [],
) =>
  testAssistant(editor, {
    files: {
      user,
      project: {
        linux: ['/work/app/.vscode/mcp.json'],
        darwin: ['/work/app/.vscode/mcp.json'],
        win32: ['D:\\app\\.vscode\\mcp.json'],
      },
    },
    moved,
    texts: {
      ...(editor.entry.oauth ? {oauth: OAUTH} : {}),
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
      [
        '{',
        '\t// Workspace servers',
        '\t"inputs": [',
        '\t\t{"type": "promptString", "id": "tok", "password": true},',
        '\t],',
        '\t"servers": {',
        '\t\t"github": {',
        '\t\t\t"type": "http",',
        '\t\t\t"url": "https://api.githubcopilot.com/mcp/",',
        '\t\t}, // hosted',
        '\t},',
        '}',
        '',
      ].join('\n'),
      [
        '{',
        '\t// Workspace servers',
        '\t"inputs": [',
        '\t\t{"type": "promptString", "id": "tok", "password": true},',
        '\t],',
        '\t"servers": {',
        '\t\t"github": {',
        '\t\t\t"type": "http",',
        '\t\t\t"url": "https://api.githubcopilot.com/mcp/",',
        '\t\t}, // hosted',
        '\t\t"acme": {',
        '\t\t\t"type": "stdio",',
        '\t\t\t"command": "/usr/bin/node",',
        '\t\t\t"args": [',
        '\t\t\t\t"bridge"',
        '\t\t\t]',
        '\t\t},',
        '\t},',
        '}',
        '',
      ].join('\n'),
    ],
  });

const OAUTH = `{
  "servers": {
    "acme": {
      "type": "http",
      "url": "http://api.acme.localhost:8080/mcp",
      "oauth": {
        "clientId": "user_mcp_client"
      }
    }
  }
}
`;
