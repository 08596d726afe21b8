import type {Assistant} from '../assistant.ts';
import {type Place, packagesDirectory} from '../place.ts';
import {claudeDesktop, claudeDesktopMsix} from './claude-desktop.ts';
import {cursor} from './cursor.ts';
import {devin} from './devin.ts';
import {vscode} from './vscode.ts';
import {windsurf} from './windsurf.ts';

/**
 * Returns the person's Windows home as mounted in WSL; undefined outside WSL, or if it cannot be found. It is found in
 * `PATH`: WSL appends the `PATH` of Windows, unless it is told not to, and that contains a directory in the person's
 * home.
 */
const mountedHome = ({env, system}: Place): string | undefined => {
  if (system !== 'linux' || !env.WSL_DISTRO_NAME) return undefined;
  return /(?:^|:)(\/mnt\/[a-z]\/Users\/[^/:]+)\/AppData\//.exec(env.PATH ?? '')?.[1];
};

/** Returns the path under which WSL mounts a Windows path: `/mnt/c/Users/ann` for `C:\Users\ann`. */
const mounted = (path: string): string =>
  path.replace(/^([a-z]):/i, (_, drive: string) => `/mnt/${drive.toLowerCase()}`).replaceAll('\\', '/');

const unmounted = (path: string): string =>
  path.replace(/^\/mnt\/([a-z])/, (_, drive: string) => `${drive.toUpperCase()}:`).replaceAll('/', '\\');

const placeOnWindows = (place: Place): Place | undefined => {
  const home = mountedHome(place);
  const {project, packages = []} = place;
  return home === undefined ? undefined : {home: unmounted(home), ...{project, packages}, system: 'win32', env: {}};
};

/** Whether this is WSL and the person's Windows home is unknown. No assistant on the Windows side can be found then. */
export const isWindowsHidden = (place: Place): boolean =>
  place.system === 'linux' && Boolean(place.env.WSL_DISTRO_NAME) && mountedHome(place) === undefined;

/** Returns the directory of packaged programs as a path of this system, on Windows and in WSL; undefined elsewhere. */
export const packagesSeenFrom = (place: Place): string | undefined => {
  if (place.system === 'win32') return packagesDirectory(place);
  const windows = placeOnWindows(place);
  return windows && mounted(packagesDirectory(windows));
};

/**
 * Returns a client that runs on Windows, connected from WSL: it starts this program through `wsl.exe`, since the
 * sign-in is in WSL. It is never connected for a single project, because clients in WSL read a project's file too.
 */
const onWindows = ({id, name, format, entry, names, ...client}: Assistant): Assistant => {
  const {header: _, helper: __, oauth: ___, ...shape} = entry;
  const seenFrom = (place: Place, paths: (windows: Place) => readonly string[]) => {
    const windows = placeOnWindows(place);
    return windows ? paths(windows).map(mounted) : [];
  };
  return {
    id: `${id}-windows`,
    name: `${name} on Windows`,
    files: (scope, place) => (scope === 'user' ? seenFrom(place, windows => client.files('user', windows)) : []),
    traces: place => seenFrom(place, client.traces),
    format,
    entry: {
      ...shape,
      command: ({command, args, distro, ...more}) =>
        entry.command({
          ...more,
          command: 'wsl.exe',
          args: [...(distro === undefined ? [] : ['--distribution', distro]), '--exec', command, ...args],
        }),
    },
    names,
    afterwards: (_, method) => client.afterwards('user', method),
  };
};

export const windowsSide: readonly Assistant[] = [
  claudeDesktop,
  claudeDesktopMsix,
  cursor,
  vscode,
  devin,
  windsurf,
].map(onWindows);
