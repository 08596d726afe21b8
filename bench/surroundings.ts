import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export type Surroundings = {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
};

/**
 * Sets up a home and an environment for measured programs. PATH is an empty directory: helm and kubectl are absent,
 * whatever this machine has. Compile caches are below HOME, as a person's are. A new home means a cold start.
 */
export const createSurroundings = (): Surroundings => {
  const directory = mkdtempSync(join(tmpdir(), 'setup-bench-'));
  const [home, path, temporary] = [join(directory, 'home'), join(directory, 'bin'), join(directory, 'tmp')];
  for (const one of [home, path, temporary]) mkdirSync(one);
  return {
    directory,
    env: {HOME: home, PATH: path, TMPDIR: temporary, LANG: 'C.UTF-8', TERM: 'xterm-256color'},
    remove: () => rmSync(directory, {recursive: true, force: true}),
  };
};
