import {cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {launcher} from './terminal/terminal-environment.ts';

const checkout = dirname(dirname(launcher));

/** Returns the directory of the build that the launcher of a package starts. */
export const buildIn = (root: string = checkout): string =>
  join(root, 'dist', readFileSync(join(root, 'dist', 'current'), 'utf8').trim());

/**
 * Copies the built program as a package contains it: with one build, whatever other builds the checkout has.
 *
 * @param to the directory of the copy, which is created
 * @param version the version of the copy, if it differs
 */
export const copyProgram = (to: string, version?: string): void => {
  const build = buildIn();
  const current = join(to, 'dist', build.slice(join(checkout, 'dist').length + 1));
  mkdirSync(join(to, 'dist'), {recursive: true});
  for (const part of ['bin', 'package.json', 'dist/current'])
    cpSync(join(checkout, part), join(to, part), {recursive: true});
  cpSync(build, current, {recursive: true});
  if (version === undefined) return;
  const manifest = JSON.parse(readFileSync(join(to, 'package.json'), 'utf8'));
  writeFileSync(join(to, 'package.json'), JSON.stringify({...manifest, version}));
  for (const name of readdirSync(current).filter(one => /\.c?js$/.test(one))) {
    const path = join(current, name);
    const text = readFileSync(path, 'utf8');
    if (text.includes(`"${manifest.version}"`))
      writeFileSync(path, text.replaceAll(`"${manifest.version}"`, `"${version}"`));
  }
};
