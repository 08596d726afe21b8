import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import {whileNobodyWrites} from '../entries-lock.ts';
import type {Flow} from '../flow.ts';
import {planReleases} from './ignore-lines.ts';
import {saveMovedEntries} from './moved-entries.ts';
import {leftAlone} from './ownership.ts';
import {planDisconnections} from './plan-disconnections.ts';
import {recordsIn} from './plan-files.ts';
import {writeFiles} from './write-files.ts';

export type Disconnected = {
  readonly assistant: string;
  readonly path: string;
  /**
   * `shared`: the entries stay, because another connected assistant reads the same file. `absent`: they were already
   * gone. `left`: the person has made them their own.
   */
  readonly outcome: 'removed' | 'absent' | 'shared' | 'left';
  /** The entries that stay because the person has made them their own. */
  readonly left?: readonly string[];
  /** The ignore file, if its line for `path` was removed. */
  readonly ignoreFile?: string;
};

type Input = {
  readonly context: Context;
  readonly assistants: readonly Assistant[];
  /** Selects those of the context's entries that are to be removed. */
  readonly chosen: (entry: ContextEntry) => boolean;
  /** Where the assistants look for their files. If it is given, entries are also found in a file that was moved. */
  readonly place?: Place;
};

/**
 * Removes a context's entries from the files of assistants, with everything that was made for them, and forgets them.
 * If nothing else has changed a file since it was connected, it is then the same as before, to the byte. Undo puts the
 * entries in again. If one of the files cannot be edited, none is.
 *
 * @throws SetupError `local-file-invalid`, `local-write-failed`, `local-locked`, `local-link-outside`
 */
export const disconnectAssistants: Flow<Input, readonly Disconnected[]> = async (input, run) => {
  // Does not wait for the lock if there is nothing to remove.
  if (!input.context.entries?.some(input.chosen)) return [];
  return await whileNobodyWrites(run, held => disconnect(input, held));
};

const disconnect: Flow<Input, readonly Disconnected[]> = async ({context: {name}, assistants, chosen, place}, run) => {
  const {ports, signal, tell} = run;
  signal.throwIfAborted();
  if (place) await saveMovedEntries(name, {assistants, place}, ports);
  // Another process may have made other entries, and other files for them, since the context was read.
  const {contexts} = await ports.config.read();
  const known = contexts.find(context => context.name === name)?.entries ?? [];
  const removed = known.filter(chosen);
  if (removed.length === 0) return [];
  // A file that another assistant shares keeps the entries until the last of them is disconnected.
  const staying = known.flatMap(one => (removed.includes(one) ? [] : one.path));
  const assistantOf = (entry: ContextEntry) => assistants.find(({id}) => id === entry.assistant);
  const disconnecting = removed.flatMap(entry => {
    const assistant = assistantOf(entry);
    return assistant ? [{assistant, entry}] : [];
  });
  const {
    files,
    leaving: withoutEntries,
    outcomes,
  } = await planDisconnections({disconnecting, staying, contexts}, ports);
  const leaving = removed.filter(entry => withoutEntries.includes(entry) || !outcomes.has(entry));
  const ignoreFiles = await planReleases({leaving, context: name, contexts, planned: files}, ports);
  const plan = {files: [...files, ...ignoreFiles], entries: [], removed, leaving, records: recordsIn(contexts, files)};
  const {released = []} = await writeFiles({plan, context: name}, run);
  return removed.map((entry): Disconnected => {
    const {outcome, left} = outcomes.get(entry) ?? {outcome: 'absent', left: []};
    const ignoreFile = released.find(one => one.entry === entry)?.path;
    if (left.length > 0) tell({type: 'warning', message: `${leftAlone(entry.path, left)}.`});
    return {
      ...{assistant: assistantOf(entry)?.name ?? entry.assistant, path: entry.path, outcome},
      ...(left.length > 0 ? {left} : {}),
      ...(ignoreFile === undefined ? {} : {ignoreFile}),
    };
  });
};
