import {basename, dirname, join} from 'node:path';
import type {OwnCommand} from '../domain/own-command.ts';
import {findOwnPaths} from '../state/stores/own-paths.ts';
import {version} from '../version.ts';
import type {Invocation} from './command.ts';

/**
 * How assistants start this program: by its absolute path, with the Node that runs it now, as they may have neither on
 * their PATH. What a runner fetched for one run is gone some day, and would be fetched again from wherever its settings
 * say by then: in its place stands the person's own copy, which is made before anything names it.
 */
export const ownCommand = ({env, program, flags}: Pick<Invocation, 'env' | 'program' | 'flags'>): OwnCommand => {
  const home = homeOf(env);
  const allowHttp = flags['allow-http'];
  const kept = {
    ...(home === undefined ? {} : {home}),
    ...(allowHttp === undefined ? {} : {allowHttp}),
  };
  if (!isPassing(program)) return {command: process.execPath, args: [program], ...kept};
  const to = join(findOwnPaths(env).programs, version);
  const node = isPassing(process.execPath) ? {node: process.execPath} : {};
  return {
    command: node.node === undefined ? process.execPath : join(to, 'bin', basename(node.node)),
    args: [join(to, 'bin', basename(program))],
    copy: {from: dirname(dirname(program)), to, ...node},
    ...kept,
  };
};

/** The directories that npx, pnpm dlx, yarn dlx, bunx and Deno fetch programs into, for one run or until they are cleaned. */
const isPassing = (path: string): boolean => /[\\/](_npx|dlx|dlx-[^\\/]+|bunx-[^\\/]+|deno[\\/]npm)[\\/]/.test(path);

/** The directory of our files, when variables have moved it that an assistant may not pass on. */
const homeOf = (env: Invocation['env']): string | undefined => {
  const {SETUP_HOME: _, XDG_CONFIG_HOME: __, ...usual} = env;
  const {config} = findOwnPaths(env);
  return config === findOwnPaths(usual).config ? undefined : dirname(config);
};
