import {vscodeRemote} from '../../../src/assistants/catalogue/vscode.ts';
import {testCodeEditor} from './code-editor.ts';

testCodeEditor(vscodeRemote, {
  linux: ['/home/ann/.vscode-server/data/User/mcp.json'],
  darwin: ['/Users/ann/.vscode-server/data/User/mcp.json'],
  win32: ['C:\\Users\\ann\\.vscode-server\\data\\User\\mcp.json'],
});
