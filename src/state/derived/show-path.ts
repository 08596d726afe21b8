import {pathBelow} from '../../domain/paths.ts';
import type {PathsShown} from '../step.ts';
import {shortPath} from '../stores/own-paths.ts';

/** Returns a path for the screen. It is shortened only if the screen says elsewhere what it is relative to. */
export const showPath = (path: string, {demo, place}: PathsShown): string =>
  (demo && pathBelow(path, demo.directory)) ?? shortPath(path, place.home);

/** Returns a file's path for the screen, with the target if it is a link. */
export const showFile = ({path, leadsTo}: {path: string; leadsTo?: string}, settings: PathsShown): string =>
  leadsTo === undefined ? showPath(path, settings) : `${showPath(path, settings)} → ${showPath(leadsTo, settings)}`;
