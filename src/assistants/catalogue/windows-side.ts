import type {Assistant} from '../assistant.ts';
import {type Place, packagesDirectory} from '../place.ts';
import {claudeDesktop, claudeDesktopMsix} from './claude-desktop.ts';
import {cursor} from './cursor.ts';
import {devin} from './devin.ts';
import {vscode} from './vscode.ts';
import {windsurf} from './windsurf.ts';

/**
 * The person's home on Windows as WSL mounts it, seen from WSL; undefined anywhere else. Windows' own PATH stands in that of
 * WSL unless somebody has switched that off, and a directory of the person's is in it.
 */
const mountedHome = ({env, system}: Place): string | undefined => {
  if (system !== 'linux' || !env.WSL_DISTRO_NAME) return undefined;
  return /(?:^|:)(\/mnt\/[a-z]\/Users\/[^/:]+)\/AppData\//.exec(env.PATH ?? '')?.[1];
};

/** A path of Windows as WSL mounts it: `C:\Users\ann` is `/mnt/c/Users/ann`. */
const mounted = (path: string): string =>
  path.replace(/^([a-z]):/i, (_, drive: string) => `/mnt/${drive.toLowerCase()}`).replaceAll('\\', '/');

const unmounted = (path: string): string =>
  path.replace(/^\/mnt\/([a-z])/, (_, drive: string) => `${drive.toUpperCase()}:`).replaceAll('/', '\\');

const placeOnWindows = (place: Place): Place | undefined => {
  const home = mountedHome(place);
  const {project, packages = []} = place;
  return home === undefined ? undefined : {home: unmounted(home), ...{project, packages}, system: 'win32', env: {}};
};

/** Whether this is WSL, and where it has the person's home on Windows is not known: no assistant there can be found. */
export const isWindowsHidden = (place: Place): boolean =>
  place.system === 'linux' && Boolean(place.env.WSL_DISTRO_NAME) && mountedHome(place) === undefined;

/** The directory of packaged programs as this system reads it: on Windows, and in WSL. Undefined anywhere else. */
export const packagesSeenFrom = (place: Place): string | undefined => {
  if (place.system === 'win32') return packagesDirectory(place);
  const windows = placeOnWindows(place);
  return windows && mounted(packagesDirectory(windows));
};

/**
 * A client that runs on Windows, connected from WSL: it starts this program through `wsl.exe`, where the sign-in is. Only
 * for all projects: a project's file is read by clients in WSL too.
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
