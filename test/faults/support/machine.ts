import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {Env} from '../../../src/ports/ports.ts';
import {type Store, storeIn} from '../../e2e/support/store.ts';

/** A person's machine: a home with an empty project in it. */
export type Machine = {
  readonly root: string;
  readonly project: string;
  readonly env: Env;
  readonly store: Store;
};

export const machineIn = (root: string): Machine => {
  const [project, temporary, setupHome] = ['project', 'tmp', 'setup'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [project, temporary]) mkdirSync(one, {recursive: true});
  return {
    ...{root, project},
    env: {HOME: root, SETUP_HOME: setupHome, TMPDIR: temporary, PATH: '', LANG: 'C.UTF-8'},
    store: storeIn(setupHome),
  };
};

/** Copies a machine to another directory. The config of the copy has the new path, and the journal is left out. */
export const copyOf = ({root}: Machine, to: string): Machine => {
  cpSync(root, to, {recursive: true, preserveTimestamps: true});
  const copy = machineIn(to);
  const {configPath, directory} = copy.store;
  writeFileSync(configPath, readFileSync(configPath, 'utf8').replaceAll(root, to), {mode: 0o600});
  rmSync(join(directory, 'journal'), {recursive: true, force: true});
  return copy;
};

/** Removes the saved metadata of the identity provider, so that the program asks for it again. */
export const forgetProvider = ({store}: Machine): void =>
  rmSync(join(store.directory, 'identity-providers.json'), {force: true});

/** Returns every secret that is saved on the machine. */
export const secretsOn = ({store}: Machine): readonly string[] =>
  existsSync(store.credentialsPath)
    ? store
        .credentials()
        .flatMap(({accessToken, refreshToken, clientSecret}) => [accessToken, refreshToken, clientSecret])
        .filter(secret => secret !== undefined)
    : [];

/** Returns what a run should not have left: temporary files, empty files, truncated JSON, locks. */
export const leftOn = ({root}: Machine): readonly string[] =>
  readdirSync(root, {recursive: true, encoding: 'utf8'})
    .filter(path => !path.startsWith('.cache'))
    .filter(path => {
      const whole = join(root, path);
      const name = basename(path);
      if (/\.tmp|\.lock$|~$/.test(name)) return true;
      if (statSync(whole).isDirectory()) return false;
      const text = readFileSync(whole, 'utf8');
      return text === '' || (name.endsWith('.json') && !isJson(text));
    });

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
