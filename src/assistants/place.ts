import {posix, win32} from 'node:path';

export type System = 'linux' | 'darwin' | 'win32';

/** Where an assistant's files are looked for. */
export type Place = {
  /** The person's home directory, absolute. */
  readonly home: string;
  /** The directory of the project, absolute. */
  readonly project: string;
  readonly system: System;
  /** Variables from which assistants take their place: `XDG_CONFIG_HOME`, `APPDATA`, `CODEX_HOME` and the like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is in `packagesDirectory`: a program that comes as a package has its files below a name that nobody can know. */
  readonly packages?: readonly string[];
};

/** Joins as the place's own system does, whichever this program runs on. */
export const join = ({system}: Place, ...segments: readonly string[]): string => pathsOf(system).join(...segments);

export const inHome = (place: Place, ...segments: readonly string[]): string => join(place, place.home, ...segments);

export const inProject = (place: Place, ...segments: readonly string[]): string =>
  join(place, place.project, ...segments);

/** A directory that a variable names. Empty and relative ones count as unset (XDG base directories). */
export const directoryIn = ({env, system}: Place, name: string): string | undefined => {
  const value = env[name];
  return value && pathsOf(system).isAbsolute(value) ? value : undefined;
};

/** `$XDG_CONFIG_HOME`, or `~/.config`, which programs with a Unix past use on every system. */
export const configHome = (place: Place): string => directoryIn(place, 'XDG_CONFIG_HOME') ?? inHome(place, '.config');

/** `$XDG_DATA_HOME`, or `~/.local/share`. */
export const dataHome = (place: Place): string =>
  directoryIn(place, 'XDG_DATA_HOME') ?? inHome(place, '.local', 'share');

/** `%LOCALAPPDATA%` on Windows. */
export const localData = (place: Place): string =>
  directoryIn(place, 'LOCALAPPDATA') ?? inHome(place, 'AppData', 'Local');

/** `%APPDATA%` on Windows. */
export const roaming = (place: Place): string => directoryIn(place, 'APPDATA') ?? inHome(place, 'AppData', 'Roaming');

/** Where Windows keeps what packaged programs (MSIX) write, each below the name of its package family. */
export const packagesDirectory = (place: Place): string => join(place, localData(place), 'Packages');

/** Where a desktop program built on Electron keeps its own files. */
export const applicationData = (place: Place): string => {
  if (place.system === 'win32') return roaming(place);
  return place.system === 'darwin' ? inHome(place, 'Library', 'Application Support') : configHome(place);
};

/** Where an administrator puts a program's settings for everybody: below `/etc` under another name than elsewhere. */
export const forEverybody = (place: Place, etc: string, elsewhere: string): string => {
  if (place.system === 'win32')
    return join(place, directoryIn(place, 'ProgramFiles') ?? 'C:\\Program Files', elsewhere);
  return place.system === 'darwin' ? join(place, '/Library/Application Support', elsewhere) : join(place, '/etc', etc);
};

/** `%ProgramData%` on Windows. */
export const programData = (place: Place): string => directoryIn(place, 'ProgramData') ?? 'C:\\ProgramData';

const pathsOf = (system: System) => (system === 'win32' ? win32 : posix);
