import {basename, dirname, join} from 'node:path';
import type {OwnCommand} from '../domain/own-command.ts';
import {HomeUnknown} from '../errors/home-unknown.ts';
import {isLasting, lastingNode} from '../ports/processes/lasting.ts';
import {runtimePath, wordsToStart} from '../ports/processes/runtime.ts';
import {findOwnPaths} from '../state/stores/own-paths.ts';
import {version} from '../version.ts';
import type {Invocation} from './command.ts';

type Running = {
  /** The Node that runs, or what runs in its place. */
  readonly node?: string;
  readonly versions?: Readonly<Record<string, string | undefined>>;
  readonly resolve?: (path: string) => string;
};

/**
 * How assistants start this program: by its absolute path, with the Node that runs it now, as they may have neither on
 * their PATH. What a runner fetched for one run is gone some day, and would be fetched again from wherever its settings
 * say by then; what lies in the directory of one version is gone after an upgrade. In its place stands a name that stays,
 * or the person's own copy, which is made before anything names it.
 */
export const ownCommand = (
  {env, program, flags}: Pick<Invocation, 'env' | 'program' | 'flags'>,
  {node: running = runtimePath(), resolve, versions = process.versions}: Running = {},
): OwnCommand => {
  const home = movedHome(env);
  const allowHttp = flags['allow-http'];
  const kept = {
    ...(home === undefined ? {} : {home}),
    ...(allowHttp === undefined ? {} : {allowHttp}),
  };
  const node = lastingNode(running, {env, program, ...(resolve ? {resolve} : {})});
  if (isLasting(program) && node !== undefined)
    return {command: node, args: wordsToStart(program, {versions}), ...kept};
  const to = join(findOwnPaths(env).programs, version);
  return {
    command: node ?? join(to, 'bin', basename(running)),
    args: wordsToStart(join(to, 'bin', basename(program)), {versions}),
    copy: {from: dirname(dirname(program)), to, ...(node === undefined ? {node: running} : {})},
    ...kept,
  };
};

/** The directory of our files, when variables have moved it that an assistant may not pass on. */
const movedHome = (env: Invocation['env']): string | undefined => {
  const {SETUP_HOME: _, XDG_CONFIG_HOME: __, ...usual} = env;
  const {config} = findOwnPaths(env);
  return config === usualConfig(usual) ? undefined : dirname(config);
};

const usualConfig = (env: Invocation['env']): string | undefined => {
  try {
    return findOwnPaths(env).config;
  } catch (error) {
    // What an assistant does not pass on is all that tells where they are.
    if (error instanceof HomeUnknown) return undefined;
    throw error;
  }
};
