import {vscodium} from '../../../src/assistants/catalogue/vscode.ts';
import {testCodeEditor} from './code-editor.ts';

testCodeEditor(vscodium, {
  linux: ['/home/ann/.config/VSCodium/User/mcp.json'],
  darwin: ['/Users/ann/Library/Application Support/VSCodium/User/mcp.json'],
  win32: ['C:\\Roaming\\VSCodium\\User\\mcp.json'],
});
