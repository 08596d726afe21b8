import {inHome} from '../place.ts';
import {codeEditor} from './vscode.ts';

/** What VS Code runs on the machine that it is connected to, by SSH, in WSL or in a container: servers start there. */
export const vscodeRemote = codeEditor(place => inHome(place, '.vscode-server', 'data', 'User'), {
  id: 'vscode-remote',
  name: 'VS Code Server',
});
