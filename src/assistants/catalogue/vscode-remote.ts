import {inHome} from '../place.ts';
import {codeEditor} from './vscode.ts';

/**
 * The part of VS Code that runs on a remote machine, by SSH, in WSL or in a container. Servers start on that machine.
 */
export const vscodeRemote = codeEditor(place => inHome(place, '.vscode-server', 'data', 'User'), {
  id: 'vscode-remote',
  name: 'VS Code Server',
});
