import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {dottedNames} from '../names.ts';
import {applicationData, inProject, join, type Place} from '../place.ts';
import {vscodeRules} from './copilot-rules.ts';

/** Where VS Code keeps the person's own files, and those of extensions. */
export const codeUser = (place: Place, ...segments: readonly string[]): string =>
  join(place, applicationData(place), 'Code', 'User', ...segments);

export const vscode: Assistant = {
  id: 'vscode',
  name: 'VS Code',
  files: (scope, place) => [scope === 'user' ? codeUser(place, 'mcp.json') : inProject(place, '.vscode', 'mcp.json')],
  traces: place => [codeUser(place)],
  command: 'code',
  format: json('servers'),
  entry: {
    kept: ['timeout', 'tools'],
    keptInOwnFile: ['env', 'envFile', 'cwd'],
    shown: ['type', 'url', 'command', 'args'],
    header: remoteHttp,
    oauth: ({url, clientId}) => ({type: 'http', url, oauth: {clientId}}),
    command: entry => ({type: 'stdio', ...program(entry)}),
    read: readerOf({types: [undefined, 'http'], oauth: ['oauth', 'clientId'], commandTypes: [undefined, 'stdio']}),
  },
  // Another port where this one is taken.
  redirects: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  names: dottedNames,
  rules: vscodeRules,
  afterwards: (scope, method) => [
    ...(scope === 'project' ? ['Trust this workspace in VS Code.'] : []),
    'Press Start above each server in mcp.json, or run “MCP: List Servers” in VS Code.',
    ...(method === 'oauth' ? ['When a server starts, allow VS Code to sign you in.'] : []),
  ],
};
