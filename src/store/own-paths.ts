import {userInfo} from 'node:os';
import {posix, resolve, win32} from 'node:path';
import {homeOf, isSamePath, pathBelow, withoutSlashes} from '../domain/paths.ts';
import {HomeUnknown} from '../errors/home-unknown.ts';
import type {Env} from '../ports/ports.ts';

/** The home, and the paths of this program's own files, which `SETUP_HOME` moves, except `compiled`. */
export type OwnPaths = {
  readonly home: string;
  readonly config: string;
  readonly credentials: string;
  readonly journal: string;
  /** The directory of the locks for files whose own directory cannot hold one. */
  readonly locks: string;
  readonly resume: string;
  /** The documents of identity providers about themselves. */
  readonly providers: string;
  /** The versions that programs reported. */
  readonly versions: string;
  /** The MCP servers that speak one era only. */
  readonly eras: string;
  /** The record of tokens that helpers have handed out lately. */
  readonly helperTokens: string;
  /** The directory of the sockets at which bridges take questions for the person. */
  readonly bridges: string;
  /** The directory of this program’s own copies, one for each version. */
  readonly programs: string;
  /** The directory of the records that `--debug` keeps. */
  readonly records: string;
  /** The directory of the code that Node has compiled, as the launcher uses it; undefined if there is no home. */
  readonly compiled: string | undefined;
};

/**
 * Returns the paths: XDG directories on Linux and macOS. On Windows, %APPDATA% (which may roam from machine to machine)
 * for the configuration, and %LOCALAPPDATA% for the rest. Empty and relative variables count as unset (XDG Base
 * Directory Specification, "Basics"). A relative SETUP_HOME is resolved against the working directory.
 *
 * @param accountHome returns the home of the account, if there is one
 * @throws HomeUnknown if a home is needed and there is none
 */
export const findOwnPaths = (
  env: Env,
  platform: NodeJS.Platform = process.platform,
  accountHome: () => string = () => userInfo().homedir,
): OwnPaths => {
  const home = homeOf(env, platform) ?? homeOfAccount(accountHome);
  const setupHome = env.SETUP_HOME && resolve(env.SETUP_HOME);
  const {isAbsolute, join} = platform === 'win32' ? win32 : posix;
  const directory = (variable: string | undefined, ...usual: readonly string[]) =>
    variable && isAbsolute(variable) ? variable : join(known(home), ...usual);
  const [config, credentials, state, programs] = setupHome
    ? [setupHome, setupHome, setupHome, join(setupHome, 'programs')]
    : platform === 'win32'
      ? [
          join(directory(env.APPDATA, 'AppData', 'Roaming'), APP),
          join(directory(env.LOCALAPPDATA, 'AppData', 'Local'), APP),
          join(directory(env.LOCALAPPDATA, 'AppData', 'Local'), APP),
          join(directory(env.LOCALAPPDATA, 'AppData', 'Local'), APP, 'programs'),
        ]
      : [
          join(directory(env.XDG_CONFIG_HOME, '.config'), APP),
          join(directory(env.XDG_CONFIG_HOME, '.config'), APP),
          join(directory(env.XDG_STATE_HOME, '.local', 'state'), APP),
          join(directory(env.XDG_DATA_HOME, '.local', 'share'), APP),
        ];
  return {
    // Without a home, the root, in which only the superuser can create files.
    home: typeof home === 'string' ? home : '/',
    config: join(config, 'config.json'),
    credentials: join(credentials, 'credentials.json'),
    journal: join(state, 'journal'),
    locks: join(state, 'locks'),
    resume: join(state, 'unfinished.json'),
    providers: join(state, 'identity-providers.json'),
    versions: join(state, 'versions.json'),
    eras: join(state, 'mcp-eras.json'),
    helperTokens: join(state, 'handed-out.json'),
    bridges: join(state, 'bridges'),
    programs,
    records: join(state, 'records'),
    compiled: compiledIn(env, home, platform),
  };
};

/** Returns the directory that the launcher tells Node to keep compiled code in. `SETUP_HOME` does not move it. */
const compiledIn = (env: Env, home: Home, platform: NodeJS.Platform): string | undefined => {
  const isWindows = platform === 'win32';
  const {isAbsolute, join} = isWindows ? win32 : posix;
  const named = isWindows ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  const usual = isWindows ? ['AppData', 'Local'] : ['.cache'];
  const caches = named && isAbsolute(named) ? named : typeof home === 'string' ? join(home, ...usual) : undefined;
  return caches && join(caches, APP, 'compile');
};

/** An unknown home is an error only where a path needs it, so the error is kept until then. */
type Home = string | HomeUnknown;

/** For a user without an account the system knows no home (getpwuid(3)). */
const homeOfAccount = (accountHome: () => string): Home => {
  try {
    return accountHome();
  } catch (cause) {
    return new HomeUnknown({cause});
  }
};

const known = (home: Home): string => {
  if (typeof home !== 'string') throw home;
  return home;
};

const APP = 'platform-setup';

/** Returns `path` as it is shown: with `~` for the home directory, unless that is unknown. */
export const shortPath = (path: string, home: string): string => {
  if (home === '') return path;
  if (isSamePath(path, home)) return '~';
  return pathBelow(path, home) === undefined ? path : `~${path.slice(withoutSlashes(home).length)}`;
};
