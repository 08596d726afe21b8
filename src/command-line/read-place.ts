import {resolve} from 'node:path';
import type {Place} from '../assistants/place.ts';
import type {Env} from '../ports/ports.ts';
import {findOwnPaths} from '../state/stores/own-paths.ts';

/** Where assistants keep their files on this machine. What is neither macOS nor Windows does as Linux does. */
export const readPlace = (env: Env, project = '.', platform: NodeJS.Platform = process.platform): Place => ({
  home: findOwnPaths(env, platform).home,
  project: resolve(project),
  system: platform === 'win32' || platform === 'darwin' ? platform : 'linux',
  env,
});
