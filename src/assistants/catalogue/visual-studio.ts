import type {Scope} from '../../domain/context.ts';
import type {Assistant} from '../assistant.ts';
import {inHome, inProject, type Place} from '../place.ts';
import {vscode} from './vscode.ts';

const filesIn = (scope: Scope, place: Place): readonly string[] => {
  if (place.system !== 'win32') return [];
  return [scope === 'user' ? inHome(place, '.mcp.json') : inProject(place, '.vs', 'mcp.json')];
};

/**
 * Visual Studio 2022 and 2026, on Windows only, with the entries of VS Code. According to its documentation; not run
 * here.
 */
export const visualStudio: Assistant = {
  id: 'visual-studio',
  name: 'Visual Studio',
  files: filesIn,
  alsoReads: (scope, place) => [
    ...filesIn(scope, place),
    ...(scope === 'project' && place.system === 'win32'
      ? [inProject(place, '.mcp.json'), inProject(place, '.vscode', 'mcp.json')]
      : []),
  ],
  traces: place => (place.system === 'win32' ? [inHome(place, 'AppData', 'Local', 'Microsoft', 'VisualStudio')] : []),
  format: vscode.format,
  entry: {
    preserved: vscode.entry.preserved,
    shown: vscode.entry.shown,
    ...(vscode.entry.header ? {header: vscode.entry.header} : {}),
    command: vscode.entry.command,
    read: vscode.entry.read,
  },
  names: vscode.names,
  afterwards: () => ['In Visual Studio, open Copilot’s agent mode and switch the servers on under its tools.'],
};
