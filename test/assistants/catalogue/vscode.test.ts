import {vscode} from '../../../src/assistants/catalogue/vscode.ts';
import {testCodeEditor} from './code-editor.ts';

testCodeEditor(
  vscode,
  {
    linux: ['/home/ann/.config/Code/User/mcp.json'],
    darwin: ['/Users/ann/Library/Application Support/Code/User/mcp.json'],
    win32: ['C:\\Roaming\\Code\\User\\mcp.json'],
  },
  [[{XDG_CONFIG_HOME: '/xdg'}, ['/xdg/Code/User/mcp.json']]],
);
