import {describe, expect, test} from 'vitest';
import {claudeDesktop, claudeDesktopMsix} from '../../../src/assistants/catalogue/claude-desktop.ts';
import type {Place} from '../../../src/assistants/place.ts';
import {readPlace} from '../../../src/command-line/read-place.ts';
import {PLAIN_COMMAND, places, testAssistant} from './golden.ts';

testAssistant(claudeDesktopMsix, {
  files: {
    user: {linux: [], darwin: [], win32: []},
    project: {linux: [], darwin: [], win32: []},
  },
  texts: {command: PLAIN_COMMAND},
  inUse: [
    '{"globalShortcut": ""}',
    '{"globalShortcut": "", "mcpServers": {"acme": {"command": "/usr/bin/node", "args": ["bridge"]}}}',
  ],
});

describe('on Windows', () => {
  const packages = ['Microsoft.WindowsTerminal_8wekyb3d8bbwe', 'Claude_pzs8sxrjxfjjc', 'ClaudeNotes_pzs8sxrjxfjjc'];
  const place: Place = {...places.win32, packages};
  const directory = 'C:\\Users\\ann\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude';

  test('it is found where the package has its files, whichever hash stands in its name', () => {
    expect(claudeDesktopMsix.traces(place)).toEqual([directory]);
    expect(claudeDesktopMsix.files('user', place)).toEqual([`${directory}\\claude_desktop_config.json`]);
    expect(claudeDesktopMsix.files('project', place)).toEqual([]);
    const moved = {...place, env: {LOCALAPPDATA: 'E:\\Local'}, packages: ['Claude_another']};
    expect(claudeDesktopMsix.traces(moved)).toEqual([
      'E:\\Local\\Packages\\Claude_another\\LocalCache\\Roaming\\Claude',
    ]);
  });

  test('the one without a package keeps its own file', () => {
    expect(claudeDesktop.files('user', place)).toEqual(['C:\\Roaming\\Claude\\claude_desktop_config.json']);
  });
});

describe('which packages there are', () => {
  const known = (directory: string) => {
    const names: Record<string, readonly string[]> = {
      'C:\\Users\\ann\\AppData\\Local\\Packages': ['Claude_pzs8sxrjxfjjc'],
      '/mnt/c/Users/ann/AppData/Local/Packages': ['Claude_pzs8sxrjxfjjc'],
    };
    const found = names[directory];
    if (!found) throw new Error(`There is no ${directory}.`);
    return found;
  };

  test('is read on Windows, and from WSL', () => {
    const windows = {USERPROFILE: 'C:\\Users\\ann', LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local'};
    expect(readPlace(windows, '.', 'win32', known).packages).toEqual(['Claude_pzs8sxrjxfjjc']);
    const wsl = {
      ...{HOME: '/home/ann', WSL_DISTRO_NAME: 'Ubuntu'},
      PATH: '/usr/bin:/mnt/c/Users/ann/AppData/Local/Microsoft/WindowsApps',
    };
    expect(readPlace(wsl, '.', 'linux', known).packages).toEqual(['Claude_pzs8sxrjxfjjc']);
  });

  test('is asked nowhere else, and is none where nothing can be read', () => {
    expect(readPlace({HOME: '/home/ann'}, '.', 'linux', known)).not.toHaveProperty('packages');
    expect(readPlace({HOME: '/Users/ann'}, '.', 'darwin', known)).not.toHaveProperty('packages');
    expect(readPlace({USERPROFILE: 'C:\\Users\\bob'}, '.', 'win32', known).packages).toEqual([]);
  });
});
