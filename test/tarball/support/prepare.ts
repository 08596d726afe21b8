import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {TestProject} from 'vitest/node';
import {run} from '../../support/terminal/programs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * The packed product, and the directories of the Node versions by major version, each with `bin/node` and an npm
     * of its time.
     */
    tarball: {readonly path: string; readonly nodes: Readonly<Record<string, string>>};
  }
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The Node versions are kept for the next run. */
const cache = join(root, 'node_modules/.cache/platform-setup-nodes');

/** Each Node version with the npm that came with it. The first one is too old for the program. */
const wanted = {20: '10', 22: '10', 24: '11'} as const;

/** Packs the built product, and installs the Node versions for the tests. */
export const setup = ({provide}: TestProject) => {
  const directory = mkdtempSync(join(tmpdir(), 'setup-tarball-'));
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory, root]);
  const [name = ''] = readdirSync(directory);
  const nodes = Object.fromEntries(Object.entries(wanted).map(([major, npm]) => [major, nodeOf(major, npm)]));
  provide('tarball', {path: join(directory, name), nodes});
  return () => rmSync(directory, {recursive: true, force: true});
};

/** Installs a Node in the layout of its own installers. */
const nodeOf = (major: string, npm: string): string => {
  const directory = join(cache, major);
  if (existsSync(directory)) return directory;
  const temporary = `${directory}.${process.pid}`;
  mkdirSync(temporary, {recursive: true});
  const system = process.platform === 'win32' ? 'win' : process.platform;
  run('npm', [
    ...['install', '--silent', '--ignore-scripts', '--prefix', join(temporary, 'lib')],
    ...[`node-${system}-${process.arch}@${major}`, `npm@${npm}`],
  ]);
  mkdirSync(join(temporary, 'bin'));
  const links = {
    node: `../lib/node_modules/node-${system}-${process.arch}/bin/node`,
    npm: '../lib/node_modules/npm/bin/npm-cli.js',
    npx: '../lib/node_modules/npm/bin/npx-cli.js',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(temporary, 'bin', name));
  execFileSync(join(temporary, 'bin', 'node'), ['--version']);
  renameSync(temporary, directory);
  return directory;
};
