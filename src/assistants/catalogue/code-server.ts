import {dataHome, join, localData, type Place} from '../place.ts';
import {codeEditor} from './vscode.ts';

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
