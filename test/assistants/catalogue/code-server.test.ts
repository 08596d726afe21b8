import {codeServer} from '../../../src/assistants/catalogue/vscode.ts';
import {testCodeEditor} from './code-editor.ts';

testCodeEditor(
  codeServer,
  {
    linux: ['/home/ann/.local/share/code-server/User/mcp.json'],
    darwin: ['/Users/ann/.local/share/code-server/User/mcp.json'],
    win32: ['C:\\Users\\ann\\AppData\\Local\\code-server\\Data\\User\\mcp.json'],
  },
  [[{XDG_DATA_HOME: '/xdg'}, ['/xdg/code-server/User/mcp.json']]],
);
