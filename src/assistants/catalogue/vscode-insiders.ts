import {applicationData, join} from '../place.ts';
import {codeEditor} from './vscode.ts';

export const vscodeInsiders = codeEditor(place => join(place, applicationData(place), 'Code - Insiders', 'User'), {
  id: 'vscode-insiders',
  name: 'VS Code Insiders',
  command: 'code-insiders',
});
