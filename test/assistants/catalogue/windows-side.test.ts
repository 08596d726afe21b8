import {describe, expect, test} from 'vitest';
import {claudeDesktop} from '../../../src/assistants/catalogue/claude-desktop.ts';
import {windowsSide} from '../../../src/assistants/catalogue/windows-side.ts';
import type {Place} from '../../../src/assistants/place.ts';
import {places} from './golden.ts';

/** WSL by default: Windows' own PATH follows that of the distribution. */
const wsl: Place = {
  ...places.linux,
  packages: ['Claude_pzs8sxrjxfjjc', 'Microsoft.WindowsTerminal_8wekyb3d8bbwe'],
  env: {
    WSL_DISTRO_NAME: 'Ubuntu-24.04',
    PATH: '/usr/bin:/mnt/c/WINDOWS/system32:/mnt/d/Users/Ann B/AppData/Local/Microsoft/WindowsApps',
  },
};

const desktop = windowsSide.find(({id}) => id === 'claude-desktop-windows');
if (!desktop) throw new Error('Claude Desktop runs on Windows.');

test('the clients of Windows have their files where WSL mounts its drives', () => {
  expect(windowsSide.map(({id, files}) => [id, files('user', wsl)])).toEqual([
    ['claude-desktop-windows', ['/mnt/d/Users/Ann B/AppData/Roaming/Claude/claude_desktop_config.json']],
    [
      'claude-desktop-msix-windows',
      [
        `/mnt/d/Users/Ann B/AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json`,
      ],
    ],
    ['cursor-windows', ['/mnt/d/Users/Ann B/.cursor/mcp.json']],
    ['vscode-windows', ['/mnt/d/Users/Ann B/AppData/Roaming/Code/User/mcp.json']],
    ['devin-windows', ['/mnt/d/Users/Ann B/AppData/Roaming/devin/mcp_config.json']],
    [
      'windsurf-windows',
      ['/mnt/d/Users/Ann B/.codeium/windsurf/mcp_config.json', '/mnt/d/Users/Ann B/.codeium/mcp_config.json'],
    ],
  ]);
  for (const {files, traces} of windowsSide) {
    expect(files('project', wsl)).toEqual([]);
    expect(traces(wsl)).toEqual(traces(wsl).filter(path => path.startsWith('/mnt/d/Users/Ann B/')));
    expect(traces(wsl)).not.toEqual([]);
  }
});

describe('they have no file', () => {
  test.each([
    ['outside WSL', {...wsl, env: {PATH: wsl.env.PATH}}],
    ['on Windows itself', {...wsl, system: 'win32' as const}],
    ['where Windows’ PATH is switched off', {...wsl, env: {...wsl.env, PATH: '/usr/bin:/mnt/c/WINDOWS/system32'}}],
  ])('%s', (_, place) => {
    for (const {files, traces} of windowsSide) expect([...files('user', place), ...traces(place)]).toEqual([]);
  });
});

test('their entries start this program in the distribution that it is in, and nothing that holds a token', () => {
  const at = {name: 'acme', scope: 'user', system: 'linux'} as const;
  const started = {command: '/usr/bin/node', args: ['/opt/it’s/setup.js', 'mcp', 'serve', 'control-plane']};
  const entry = desktop.entry.command({...at, ...started, distro: 'Ubuntu-24.04'});
  const args = ['--distribution', 'Ubuntu-24.04', '--exec', started.command, ...started.args];
  expect(entry).toEqual({command: 'wsl.exe', args});
  expect(desktop.entry.read(entry)).toEqual({kind: 'command', command: 'wsl.exe', args, env: {}});
  expect(desktop.entry.command({...at, ...started})).toEqual({command: 'wsl.exe', args: args.slice(2)});
  for (const {entry} of windowsSide)
    expect([entry.header, entry.helper, entry.oauth]).toEqual([undefined, undefined, undefined]);
});

test('what is left to do there is what the client asks on its own system', () => {
  expect(desktop.name).toBe('Claude Desktop on Windows');
  expect(desktop.afterwards('user', 'bridge')).toEqual(claudeDesktop.afterwards('user', 'bridge'));
});
