import {dirname} from 'node:path';
import type {OwnCommand} from '../domain/own-command.ts';
import {findOwnPaths} from '../state/stores/own-paths.ts';
import {version} from '../version.ts';
import type {Invocation} from './command.ts';

/**
 * How assistants start this program: by its absolute path, with the Node that runs it now, as they may have neither on
 * their PATH. What npx fetched for one run is gone some day, so npx is told to fetch it again.
 */
export const ownCommand = ({env, program, flags}: Pick<Invocation, 'env' | 'program' | 'flags'>): OwnCommand => {
  const home = homeOf(env);
  const allowHttp = flags['allow-http'];
  const kept = {
    ...(home === undefined ? {} : {home}),
    ...(allowHttp === undefined ? {} : {allowHttp}),
  };
  if (/[\\/]_npx[\\/]/.test(program)) return {command: 'npx', args: ['--yes', `platform-setup@${version}`], ...kept};
  return {command: process.execPath, args: [program], ...kept};
};

/** The directory of our files, when variables have moved it that an assistant may not pass on. */
const homeOf = (env: Invocation['env']): string | undefined => {
  const {SETUP_HOME: _, XDG_CONFIG_HOME: __, ...usual} = env;
  const {config} = findOwnPaths(env);
  return config === findOwnPaths(usual).config ? undefined : dirname(config);
};
