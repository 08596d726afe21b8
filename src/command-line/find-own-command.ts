import {basename, delimiter, dirname, isAbsolute, join} from 'node:path';
import {hostsIn, type OwnCommand, type Start} from '../domain/own-command.ts';
import {HomeUnknown} from '../errors/home-unknown.ts';
import {isLoopback} from '../ports/network/route.ts';
import {isLasting, lastingNode} from '../ports/processes/find-program.ts';
import {runtimePath, wordsToStart} from '../ports/processes/runtime.ts';
import {pathIn, personsPath} from '../search-path.ts';
import {findOwnPaths} from '../store/own-paths.ts';
import {version} from '../version.ts';
import type {Invocation} from './command.ts';

type Running = {
  /** The path of the running Node, or of the runtime that replaces it. */
  readonly node?: string;
  readonly versions?: Readonly<Record<string, string | undefined>>;
  readonly resolve?: (path: string) => string;
};

/**
 * Returns how assistants start this program: by its absolute path, with the Node that is running now, because neither
 * may be on their PATH. A program that a runner fetched for one run disappears. The runner would then fetch it again,
 * from the registry that its settings name at that time. A program in the directory of one version disappears with an
 * upgrade. In these cases the command uses a path that stays, or the person's own copy, which is made before any entry
 * names it.
 */
export const ownCommand = (
  {env, program, flags}: Pick<Invocation, 'env' | 'program' | 'flags'>,
  {node: running = runtimePath(), resolve, versions = process.versions}: Running = {},
): OwnCommand => {
  const home = movedHome(env);
  // A loopback host needs no permission. Naming it would make the entry differ from one that a run without it writes.
  const allowHttp = hostsIn(flags['allow-http']).filter(host => !isLoopback(host));
  const lasting = {
    ...(home === undefined ? {} : {home}),
    ...(allowHttp.length > 0 ? {allowHttp: allowHttp.join(',')} : {}),
  };
  const node = lastingNode(running, {env, program, ...(resolve ? {resolve} : {})});
  if (isLasting(program) && node !== undefined)
    return {command: node, args: wordsToStart(program, {versions}), ...lasting};
  const to = join(findOwnPaths(env).programs, version);
  return {
    command: node ?? join(to, 'bin', basename(running)),
    args: wordsToStart(join(to, 'bin', basename(program)), {versions}),
    copy: {from: dirname(dirname(program)), to, ...(node === undefined ? {node: running} : {})},
    ...lasting,
  };
};

/**
 * Returns the ways to start the copy of this program in a directory, whichever version it is and whichever runner
 * (npx, bunx, Deno) made it: by the Node, Bun or Deno beside its launcher, or by one that will still be there later
 * (the running one, or one on PATH). Each is an absolute path. None comes from the `node_modules/.bin` of a project.
 */
export const startsOf =
  (
    {env, program}: Pick<Invocation, 'env' | 'program'>,
    {node: running = runtimePath(), resolve, versions = process.versions}: Running = {},
  ): ((directory: string) => readonly Start[]) =>
  directory => {
    // Computed only here, because callers ask only about entries that start another program than the running one.
    const node = lastingNode(running, {env, program, ...(resolve ? {resolve} : {})});
    const onPath = personsPath(pathIn(env)).split(delimiter).filter(isAbsolute);
    const own = join(directory, 'bin');
    const launcher = join(own, basename(program));
    const found = runtimes.flatMap(({name, versions}) => {
      const file = process.platform === 'win32' ? `${name}.exe` : name;
      const lasting = onPath.map(one => join(one, file)).filter(isLasting);
      const args = wordsToStart(launcher, {versions});
      return [join(own, file), ...lasting].map(command => ({command, args}));
    });
    return node === undefined ? found : [...found, {command: node, args: wordsToStart(launcher, {versions})}];
  };

/** The runtimes that may run this program, with the `versions` that identify each. */
const runtimes = [
  {name: 'node', versions: {}},
  {name: 'bun', versions: {bun: ''}},
  {name: 'deno', versions: {deno: ''}},
] as const;

/** Returns the directory of this program's files, if a variable that an assistant may not pass on has moved it. */
const movedHome = (env: Invocation['env']): string | undefined => {
  const {SETUP_HOME: _, XDG_CONFIG_HOME: __, ...usual} = env;
  const {config} = findOwnPaths(env);
  return config === usualConfig(usual) ? undefined : dirname(config);
};

const usualConfig = (env: Invocation['env']): string | undefined => {
  try {
    return findOwnPaths(env).config;
  } catch (error) {
    // Without a home, only these variables say where the files are.
    if (error instanceof HomeUnknown) return undefined;
    throw error;
  }
};
