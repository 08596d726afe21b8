import type {Files, VersionStore} from '../../ports/storage.ts';
import {formatJson, isObject, readJsonFile} from './json-file.ts';

/**
 * What programs said when they were asked for their version, in a file of its own. It counts for as long as the program is
 * the very same file. What is not a list of this kind says nothing.
 *
 * @param stateOf tells whether a file may have changed
 */
export const createVersionStore = (files: Files, path: string, stateOf: (program: string) => string): VersionStore => {
  const read = async (): Promise<Readonly<Record<string, unknown>>> => {
    const json = await readJsonFile(files, path).catch(() => undefined);
    return json?.version === 1 && isObject(json.programs) ? json.programs : {};
  };
  // Every assistant is asked for its version at the same time.
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

/** How much of what a program says is kept, in characters. */
const MOST = 200;
