import {vscodeInsiders} from '../../../src/assistants/catalogue/vscode.ts';
import {testCodeEditor} from './code-editor.ts';

testCodeEditor(vscodeInsiders, {
  linux: ['/home/ann/.config/Code - Insiders/User/mcp.json'],
  darwin: ['/Users/ann/Library/Application Support/Code - Insiders/User/mcp.json'],
  win32: ['C:\\Roaming\\Code - Insiders\\User\\mcp.json'],
});
