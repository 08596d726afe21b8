import {dirname} from 'node:path';
import type {OwnCommand} from '../flows/assistant-entry.ts';
import {findPlaces} from '../state/places.ts';
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
    env: waysIn(env),
  };
  if (/[\\/]_npx[\\/]/.test(program)) return {command: 'npx', args: ['--yes', `platform-setup@${version}`], ...kept};
  return {command: process.execPath, args: [program], ...kept};
};

/** Variables that say how the network is reached. An assistant may not pass them on; a proxy's password is not written down. */
const waysIn = (env: Invocation['env']): Readonly<Record<string, string>> => {
  const names = [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'NODE_EXTRA_CA_CERTS',
  ];
  return Object.fromEntries(names.flatMap(name => (env[name] && !env[name].includes('@') ? [[name, env[name]]] : [])));
};

/** The directory of our files, when variables have moved it that an assistant may not pass on. */
const homeOf = (env: Invocation['env']): string | undefined => {
  const {SETUP_HOME: _, XDG_CONFIG_HOME: __, ...usual} = env;
  const {config} = findPlaces(env);
  return config === findPlaces(usual).config ? undefined : dirname(config);
};
