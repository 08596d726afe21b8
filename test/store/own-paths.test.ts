import {resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import {toSetupError} from '../../src/errors/errors.ts';
import {findOwnPaths, shortPath} from '../../src/store/own-paths.ts';

test('XDG directories, where they are set and not empty', () => {
  expect(findOwnPaths({HOME: '/home/ann', XDG_CONFIG_HOME: ''}, 'linux')).toEqual({
    home: '/home/ann',
    config: '/home/ann/.config/platform-setup/config.json',
    credentials: '/home/ann/.config/platform-setup/credentials.json',
    journal: '/home/ann/.local/state/platform-setup/journal',
    locks: '/home/ann/.local/state/platform-setup/locks',
    resume: '/home/ann/.local/state/platform-setup/unfinished.json',
    providers: '/home/ann/.local/state/platform-setup/identity-providers.json',
    versions: '/home/ann/.local/state/platform-setup/versions.json',
    eras: '/home/ann/.local/state/platform-setup/mcp-eras.json',
    helperTokens: '/home/ann/.local/state/platform-setup/handed-out.json',
    bridges: '/home/ann/.local/state/platform-setup/bridges',
    programs: '/home/ann/.local/share/platform-setup',
    records: '/home/ann/.local/state/platform-setup/records',
    compiled: '/home/ann/.cache/platform-setup/compile',
  });
  expect(findOwnPaths({HOME: '/home/ann', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s'}, 'linux')).toMatchObject({
    config: '/c/platform-setup/config.json',
    journal: '/s/platform-setup/journal',
  });
});

test('the directories of Windows, where they are set and not empty', () => {
  const home = {USERPROFILE: 'C:\\Users\\ann', APPDATA: ''};
  expect(findOwnPaths(home, 'win32')).toMatchObject({
    home: 'C:\\Users\\ann',
    config: 'C:\\Users\\ann\\AppData\\Roaming\\platform-setup\\config.json',
    journal: 'C:\\Users\\ann\\AppData\\Local\\platform-setup\\journal',
    compiled: 'C:\\Users\\ann\\AppData\\Local\\platform-setup\\compile',
  });
  expect(findOwnPaths({...home, APPDATA: 'D:\\Roaming', LOCALAPPDATA: 'D:\\Local'}, 'win32')).toMatchObject({
    config: 'D:\\Roaming\\platform-setup\\config.json',
    // Secrets do not roam to other machines.
    credentials: 'D:\\Local\\platform-setup\\credentials.json',
    journal: 'D:\\Local\\platform-setup\\journal',
  });
  expect(findOwnPaths({HOME: '/msys/ann', USERPROFILE: 'C:\\Users\\ann'}, 'win32').home).toBe('C:\\Users\\ann');
});

describe('without HOME and without an account', () => {
  const none = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };

  test('no directory is guessed, and it is said what to give', () => {
    const find = () => findOwnPaths({}, 'linux', none);
    expect(find).toThrow('There is no home directory: HOME is not set, and this user has no account.');
    const caught = (() => {
      try {
        return find();
      } catch (error) {
        return error;
      }
    })();
    expect(toSetupError(caught)).toMatchObject({
      code: 'input-required',
      remedy: expect.stringContaining('--setup-home'),
    });
  });

  test.each([
    ['SETUP_HOME', {SETUP_HOME: resolve('/elsewhere')}, `${resolve('/elsewhere')}/config.json`],
    [
      'every XDG directory',
      {XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_DATA_HOME: '/d'},
      '/c/platform-setup/config.json',
    ],
  ])('%s is enough', (_name, env, config) => {
    expect(findOwnPaths(env, 'linux', none)).toMatchObject({home: '/', config});
  });
});

test('SETUP_HOME moves all of it', () => {
  const {config, credentials, journal} = findOwnPaths({HOME: '/home/ann', SETUP_HOME: resolve('/elsewhere')});
  expect([config, credentials, journal]).toEqual([
    resolve('/elsewhere/config.json'),
    resolve('/elsewhere/credentials.json'),
    resolve('/elsewhere/journal'),
  ]);
});

test.each(['config', './config', '../config', '~/config'])(
  'a relative XDG directory (%s) counts as unset',
  relative => {
    const env = {HOME: '/home/ann', XDG_CONFIG_HOME: relative, XDG_STATE_HOME: relative};
    expect(findOwnPaths(env, 'linux')).toEqual(findOwnPaths({HOME: '/home/ann'}, 'linux'));
    const windows = {USERPROFILE: '/users/ann', APPDATA: relative, LOCALAPPDATA: relative};
    expect(findOwnPaths(windows, 'win32')).toEqual(findOwnPaths({USERPROFILE: '/users/ann'}, 'win32'));
  },
);

test('a relative SETUP_HOME is taken from the working directory', () => {
  const {config, journal} = findOwnPaths({HOME: '/home/ann', SETUP_HOME: 'mine'});
  expect([config, journal]).toEqual([resolve('mine/config.json'), resolve('mine/journal')]);
});

test('a path below home is shown with ~', () => {
  expect(shortPath('/home/ann/project/mcp.json', '/home/ann')).toBe('~/project/mcp.json');
  expect(shortPath('/home/anna/mcp.json', '/home/ann')).toBe('/home/anna/mcp.json');
  expect(shortPath('/home/ann', '/home/ann')).toBe('~');
  expect(shortPath('/tmp/x', '')).toBe('/tmp/x');
  expect(shortPath('/Home/Ann/x', '/home/ann')).toBe('/Home/Ann/x');
});

test('and one of Windows, in capitals or not', () => {
  const home = 'C:\\Users\\Ann';
  expect(shortPath('C:\\Users\\Ann\\.cursor\\mcp.json', home)).toBe('~\\.cursor\\mcp.json');
  expect(shortPath('c:\\users\\ANN\\mcp.json', home)).toBe('~\\mcp.json');
  expect(shortPath('C:\\Users\\Anna\\mcp.json', home)).toBe('C:\\Users\\Anna\\mcp.json');
  expect(shortPath('D:\\work', home)).toBe('D:\\work');
  expect(shortPath('c:/users/ann/mcp.json', 'C:\\Users\\Ann\\')).toBe('~/mcp.json');
});
