import {type Assistant, dottedNames, type EntryShape} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {applicationData, dataHome, inHome, inProject, join, localData, type Place} from '../place.ts';
import {vscodeRules} from './copilot-cli.ts';

/** Returns a path in the directory where VS Code keeps the person's own files and those of extensions. */
export const codeUser = (place: Place, ...segments: readonly string[]): string =>
  join(place, applicationData(place), 'Code', 'User', ...segments);

/**
 * Returns an editor that is built from VS Code's source: the same entries in a directory of its own, and the same file
 * in a project.
 *
 * @param user returns the directory of the person's own settings
 */
export const codeEditor = (
  user: (place: Place) => string,
  {name, ...editor}: Pick<Assistant, 'id' | 'name' | 'command'>,
): Assistant => ({
  ...editor,
  name,
  files: (scope, place) => [
    scope === 'user' ? join(place, user(place), 'mcp.json') : inProject(place, '.vscode', 'mcp.json'),
  ],
  traces: place => [user(place)],
  format: json('servers'),
  entry: codeEntry,
  names: dottedNames,
  afterwards: (scope, method) => [
    ...(scope === 'project' ? [`Trust this workspace in ${name}.`] : []),
    `Press Start above each server in mcp.json, or run “MCP: List Servers” in ${name}.`,
    ...(method === 'oauth' ? [`When a server starts, allow ${name} to sign you in.`] : []),
  ],
});

const codeEntry: EntryShape = {
  preserved: ['dev', 'sandbox', 'sandboxEnabled'],
  preservedInOwnFile: ['env', 'envFile', 'cwd'],
  shown: ['type', 'url', 'command', 'args'],
  header: remoteHttp,
  command: entry => ({type: 'stdio', ...program(entry)}),
  read: readerOf({types: [undefined, 'http'], oauth: ['oauth', 'clientId'], commandTypes: [undefined, 'stdio']}),
};

export const vscode: Assistant = {
  ...codeEditor(codeUser, {id: 'vscode', name: 'VS Code', command: 'code'}),
  entry: {...codeEntry, oauth: ({url, clientId}) => ({type: 'http', url, oauth: {clientId}})},
  // If this port is taken, VS Code uses another one.
  redirects: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  rules: vscodeRules,
};

export const vscodeInsiders = codeEditor(place => join(place, applicationData(place), 'Code - Insiders', 'User'), {
  id: 'vscode-insiders',
  name: 'VS Code Insiders',
  command: 'code-insiders',
});

export const vscodium = codeEditor(place => join(place, applicationData(place), 'VSCodium', 'User'), {
  id: 'vscodium',
  name: 'VSCodium',
  command: 'codium',
});

/**
 * The part of VS Code that runs on a remote machine, by SSH, in WSL or in a container. Servers start on that machine.
 */
export const vscodeRemote = codeEditor(place => inHome(place, '.vscode-server', 'data', 'User'), {
  id: 'vscode-remote',
  name: 'VS Code Server',
});

const directory = (place: Place) =>
  place.system === 'win32'
    ? join(place, localData(place), 'code-server', 'Data')
    : join(place, dataHome(place), 'code-server');

/** VS Code in a browser, by Coder. */
export const codeServer = codeEditor(place => join(place, directory(place), 'User'), {
  id: 'code-server',
  name: 'code-server',
  command: 'code-server',
});
