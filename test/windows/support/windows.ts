import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {inject, onTestFinished} from 'vitest';
import {storeIn} from '../../e2e/support/store.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {wineEnv} from './wine-prefix.ts';

export type Result = {readonly code: number | null; readonly stdout: string; readonly stderr: string};

/** Returns the Windows path of a path on this machine. */
export const onWindows = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

/**
 * Sets up a person's machine with Windows: a home with a space and an umlaut in its name, and the built program under
 * the Windows build of Node. Programs read and write files, because Wine cannot use pipes of another system.
 */
export const windowsMachine = () => {
  const {prefix, node} = inject('windows');
  const directory = mkdtempSync(join(tmpdir(), 'setup-test-'));
  onTestFinished(() => rmSync(directory, {recursive: true, force: true, maxRetries: 10}));
  const home = join(directory, 'Users', 'Jörg Ähren');
  const [roaming, local, temporary] = [
    join(home, 'AppData', 'Roaming'),
    join(home, 'AppData', 'Local'),
    join(directory, 't'),
  ];
  for (const one of [roaming, local, temporary]) mkdirSync(one, {recursive: true});
  const setupHome = join(directory, 'kept');
  const env = {PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...wineEnv(prefix)};
  // Wine sets these itself and ignores values from outside.
  const places = {
    ...{USERPROFILE: onWindows(home), APPDATA: onWindows(roaming), LOCALAPPDATA: onWindows(local)},
    ...{TEMP: onWindows(temporary), TMP: onWindows(temporary)},
  };
  const profile = join(directory, 'profile.cjs');
  writeFileSync(profile, `Object.assign(process.env, ${JSON.stringify(places)});`);
  const program = ['--require', onWindows(profile), onWindows(launcher)];
  let runs = 0;

  const start = (file: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    runs += 1;
    const paths = ['out', 'err'].map(name => join(directory, `${runs}.${name}`));
    const [out = 0, err = 0] = paths.map(path => openSync(path, 'w'));
    const child = spawn('wine', [file, ...args], {env: {...env, ...more}, cwd: temporary, stdio: ['ignore', out, err]});
    for (const one of [out, err]) closeSync(one);
    onTestFinished(() => void child.kill('SIGKILL'));
    return once(child, 'close').then(([code]): Result => {
      // A program that is killed with its test may end after its files were removed.
      const [stdout = '', stderr = ''] = paths.map(path => (existsSync(path) ? readFileSync(path, 'utf8') : ''));
      return {code, stdout, stderr};
    });
  };

  return {
    home,
    roaming,
    local,
    /** The path of the Windows build of Node. */
    node,
    store: storeIn(setupHome),
    /** Starts any program of Windows. */
    start,
    /** Starts the product, with its files in the usual places of the system. */
    setup: (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      start(node, [...program, ...args], more),
    /** Starts the product with its files in one directory, which `store` reads and writes. */
    setupApart: (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      start(node, [...program, ...args], {SETUP_HOME: onWindows(setupHome), ...more}),
  };
};
