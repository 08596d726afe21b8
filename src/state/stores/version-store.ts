import type {Files, VersionStore} from '../../ports/storage.ts';
import {formatJson, isObject, readJsonFile} from './json-file.ts';

/**
 * Creates the store of the versions that programs reported, in a file of its own. A version is valid as long as the
 * program's file has not changed. A file in another format is treated as empty.
 *
 * @param stateOf returns a text that differs if a file may have changed
 */
export const createVersionStore = (files: Files, path: string, stateOf: (program: string) => string): VersionStore => {
  const read = async (): Promise<Readonly<Record<string, unknown>>> => {
    const json = await readJsonFile(files, path).catch(() => undefined);
    return json?.version === 1 && isObject(json.programs) ? json.programs : {};
  };
  // All assistants are asked for their versions at the same time, so one read serves them all.
  let found: ReturnType<typeof read> | undefined;
  const learnt = new Map<string, {readonly state: string; readonly said: string}>();
  return {
    get: async program => {
      found ??= read();
      const kept = (await found)[program];
      return isObject(kept) && kept.state === stateOf(program) && typeof kept.said === 'string' ? kept.said : undefined;
    },
    put: (program, said) => void learnt.set(program, {state: stateOf(program), said: said.slice(0, MOST)}),
    keep: async () => {
      found = undefined;
      const known = await read();
      const programs = {...known, ...Object.fromEntries(learnt)};
      if (JSON.stringify(programs) === JSON.stringify(known)) return;
      const options = {mode: 0o600, tighten: true, own: true, journal: false};
      await files.write(path, formatJson({version: 1, programs}), options).catch(() => undefined);
    },
  };
};

/** The longest report that is kept, in characters. */
const MOST = 200;
