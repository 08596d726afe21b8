import {applicationData, join} from '../place.ts';
import {codeEditor} from './vscode.ts';

export const vscodium = codeEditor(place => join(place, applicationData(place), 'VSCodium', 'User'), {
  id: 'vscodium',
  name: 'VSCodium',
  command: 'codium',
});
