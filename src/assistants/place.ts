import {posix, win32} from 'node:path';
import type {VariableName} from '../domain/environment.ts';

export type System = 'linux' | 'darwin' | 'win32';

/** The directories and variables that determine where an assistant's files are. */
export type Place = {
  /** The person's home directory, absolute. */
  readonly home: string;
  /** The directory of the project, absolute. */
  readonly project: string;
  /** True if `project` is not the working directory, so that a path relative to the project would mislead. */
  readonly isElsewhere?: true;
  readonly system: System;
  /** Variables that determine the assistants' directories: `XDG_CONFIG_HOME`, `APPDATA`, `CODEX_HOME` and the like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names in `packagesDirectory`. A packaged program keeps its files below a name that cannot be predicted. */
  readonly packages?: readonly string[];
};

/** Joins segments by the rules of the place's system, independent of the system that this program runs on. */
export const join = ({system}: Place, ...segments: readonly string[]): string => pathsOf(system).join(...segments);

export const inHome = (place: Place, ...segments: readonly string[]): string => join(place, place.home, ...segments);

export const inProject = (place: Place, ...segments: readonly string[]): string =>
  join(place, place.project, ...segments);

/**
 * Returns the directory that a variable names. Empty and relative values count as unset (XDG Base Directory
 * Specification).
 */
export const directoryIn = ({env, system}: Place, name: VariableName): string | undefined => {
  const value = env[name];
  return value && pathsOf(system).isAbsolute(value) ? value : undefined;
};

/** Returns `$XDG_CONFIG_HOME` or `~/.config`, which programs of Unix origin use on every system. */
export const configHome = (place: Place): string => directoryIn(place, 'XDG_CONFIG_HOME') ?? inHome(place, '.config');

/** Returns `$XDG_DATA_HOME` or `~/.local/share`. */
export const dataHome = (place: Place): string =>
  directoryIn(place, 'XDG_DATA_HOME') ?? inHome(place, '.local', 'share');

/** Returns `%LOCALAPPDATA%` on Windows. */
export const localData = (place: Place): string =>
  directoryIn(place, 'LOCALAPPDATA') ?? inHome(place, 'AppData', 'Local');

/** Returns `%APPDATA%` on Windows. */
export const roaming = (place: Place): string => directoryIn(place, 'APPDATA') ?? inHome(place, 'AppData', 'Roaming');

/**
 * Returns the directory in which Windows keeps the files of packaged programs (MSIX), each below the name of its
 * package family.
 */
export const packagesDirectory = (place: Place): string => join(place, localData(place), 'Packages');

/** Returns the directory in which desktop programs built on Electron keep their own files. */
export const applicationData = (place: Place): string => {
  if (place.system === 'win32') return roaming(place);
  return place.system === 'darwin' ? inHome(place, 'Library', 'Application Support') : configHome(place);
};

/**
 * Returns the directory for an administrator's settings of a program, for everyone. Below `/etc` its name is different
 * (`etc`).
 */
export const forEverybody = (place: Place, etc: string, elsewhere: string): string => {
  if (place.system === 'win32')
    return join(place, directoryIn(place, 'ProgramFiles') ?? 'C:\\Program Files', elsewhere);
  return place.system === 'darwin' ? join(place, '/Library/Application Support', elsewhere) : join(place, '/etc', etc);
};

/** Returns `%ProgramData%` on Windows. */
export const programData = (place: Place): string => directoryIn(place, 'ProgramData') ?? 'C:\\ProgramData';

const pathsOf = (system: System) => (system === 'win32' ? win32 : posix);
