import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {run} from '../../support/terminal/programs.ts';

/** Vitest's packages with compiled code, for Windows. */
const compiled = ['@rolldown/binding-win32-x64-msvc', 'lightningcss-win32-x64-msvc'];

/**
 * Fetches the compiled code that Vitest needs on Windows into a directory below the cache, unless it is there
 * already, in the versions of the lock file. Returns the directory for NODE_PATH: `node_modules` of this system stays
 * as it is.
 */
export const windowsPackages = (cache: string): string => {
  const lock = new URL('../../../package-lock.json', import.meta.url);
  const {packages} = JSON.parse(readFileSync(lock, 'utf8'));
  const asked = compiled.map(name => ({name, version: String(packages[`node_modules/${name}`].version)}));
  const directory = join(cache, asked.map(({version}) => version).join('-'));
  const modules = join(directory, 'node_modules');
  for (const {name, version} of asked) {
    const place = join(modules, name);
    if (existsSync(join(place, 'package.json'))) continue;
    mkdirSync(place, {recursive: true});
    const packed = run('npm', ['pack', '--silent', '--pack-destination', directory, `${name}@${version}`]).trim();
    run('tar', ['xzf', join(directory, packed), '--strip-components', '1', '-C', place]);
  }
  return modules;
};
