/**
 * Writes everything that is generated in `docs/`: the pages, the schema and the pictures of the demonstration, or
 * only the named ones. Tests check that the pages and the schema are up to date. The pictures take a minute and need
 * a built program.
 */
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';

const generators: Readonly<Record<string, readonly string[]>> = {
  'error-pages': ['error-pages.ts'],
  'assistant-pages': ['assistant-pages.ts'],
  'provider-pages': ['provider-pages.ts'],
  'reference-pages': ['reference-pages.ts'],
  'company-schema': ['company-schema.ts'],
  pictures: ['build.js', 'picture.ts'],
};

const names = process.argv.slice(2);
const unknown = names.filter(name => !(name in generators));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. Known: ${Object.keys(generators).join(', ')}.`);
  process.exit(2);
}

const scripts = Object.entries(generators).flatMap(([name, own]) =>
  names.length === 0 || names.includes(name) ? own : [],
);
for (const script of scripts) {
  const {status} = spawnSync(process.execPath, [join(import.meta.dirname, script)], {stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}
