import {accessSync, constants, existsSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The version of Helm to build. */
export const HELM_VERSION = 'v3.19.5';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/cluster', import.meta.url));

/** The directory in which Helm is built. */
export const helmDirectory = join(cache, `helm-${HELM_VERSION}`);

/** Returns the path of a program on PATH. Undefined if there is none of that name. */
export const onPath = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(directory => directory !== '')
    .map(directory => join(directory, name))
    .find(isExecutable);

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Returns Helm from PATH, otherwise the built one. */
export const helm = (): string | undefined => {
  const built = join(helmDirectory, 'helm');
  return onPath('helm') ?? (existsSync(built) ? built : undefined);
};

/** Returns a PATH with both tools and the interpreter of their plugins, or the name of the missing tool. */
export const tools = (): {readonly path: string} | {readonly missing: string} => {
  if (onPath('kubectl') === undefined) return {missing: 'kubectl is not on PATH (Debian: kubernetes-client)'};
  const program = helm();
  if (program === undefined) return {missing: 'helm is not on PATH, and could not be built with Go'};
  return {path: [dirname(program), process.env.PATH].join(delimiter)};
};
