import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The launcher of the program under test. */
export const launcher = fileURLToPath(new URL('../../../bin/setup.js', import.meta.url));

/**
 * Shared by all tests, so that only the first run compiles the bundle. Inside the checkout, where no other account
 * writes.
 */
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/platform-setup-tests', import.meta.url));

export type Surroundings = {
  /** HOME, empty. */
  readonly home: string;
  /** SETUP_HOME, which does not exist yet. With it the program uses no keychain of the machine. */
  readonly setupHome: string;
  /** TMPDIR, empty. */
  readonly temporary: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes the directories. */
  remove(): void;
};

/**
 * Creates directories and an environment for one program under test. Nothing of the caller's environment is in it: no
 * credentials, no proxy, no settings. PATH is an empty directory, so that the machine's tools are not found.
 */
export const createSurroundings = (): Surroundings => {
  const directory = mkdtempSync(join(tmpdir(), 'setup-test-'));
  const [home, temporary, path] = [join(directory, 'home'), join(directory, 'tmp'), join(directory, 'bin')];
  const setupHome = join(home, 'setup');
  for (const one of [home, temporary, path, compileCache]) mkdirSync(one, {recursive: true});
  return {
    home,
    setupHome,
    temporary,
    env: {
      HOME: home,
      SETUP_HOME: setupHome,
      TMPDIR: temporary,
      PATH: path,
      LANG: 'C.UTF-8',
      NODE_COMPILE_CACHE: compileCache,
      // The program's directory differs from test to test, and texts name it.
      SETUP_COMMAND: 'npx setup',
    },
    remove: () => rmSync(directory, {recursive: true, force: true}),
  };
};
