import {pathBelow} from '../../domain/paths.ts';
import type {PathsShown} from '../step.ts';
import {shortPath} from '../stores/own-paths.ts';

/** A path for the screen: short where the screen says elsewhere what it is short for. */
export const showPath = (path: string, {demo, place}: PathsShown): string =>
  (demo && pathBelow(path, demo.directory)) ?? shortPath(path, place.home);

/** A file for the screen, with the one that it leads to where it is a link. */
export const showFile = ({path, leadsTo}: {path: string; leadsTo?: string}, settings: PathsShown): string =>
  leadsTo === undefined ? showPath(path, settings) : `${showPath(path, settings)} → ${showPath(leadsTo, settings)}`;
