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

/** A path of this machine as Windows sees it. */
export const onWindows = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

/**
 * A person's machine with Windows: a home with a space and an umlaut in it, and the built program under the Windows build
 * of Node. Programs read and write files, because pipes of another system are none to Wine.
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
  // Wine has its own idea of these, which it does not take from outside.
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
      // One that is killed with its test may end when its files are gone.
      const [stdout = '', stderr = ''] = paths.map(path => (existsSync(path) ? readFileSync(path, 'utf8') : ''));
      return {code, stdout, stderr};
    });
  };

  return {
    home,
    roaming,
    local,
    /** The Windows build of Node. */
    node,
    store: storeIn(setupHome),
    /** Any program of Windows. */
    start,
    /** The product, with its files where the system has them. */
    setup: (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      start(node, [...program, ...args], more),
    /** The same with its files in one directory, which `store` reads and writes. */
    setupApart: (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      start(node, [...program, ...args], {SETUP_HOME: onWindows(setupHome), ...more}),
  };
};
