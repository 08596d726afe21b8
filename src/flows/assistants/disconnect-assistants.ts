import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import {isSamePath} from '../../domain/paths.ts';
import type {Ports} from '../../ports/ports.ts';
import {whileNobodyWrites} from '../entries-lock.ts';
import type {Flow} from '../flow.ts';
import {confinementOf} from '../project-files.ts';
import {checkDisconnections} from './disconnections.ts';
import {removeEntries} from './edit-entries.ts';
import {releaseIgnored} from './ignore-lines.ts';
import {followMoved} from './moved-entries.ts';
import {leftAlone} from './ownership.ts';

export type Disconnected = {
  readonly assistant: string;
  readonly path: string;
  /**
   * `shared`: they stay, as another assistant that is connected reads the same file. `absent`: they were gone already.
   * `left`: the person has made them their own.
   */
  readonly outcome: 'removed' | 'absent' | 'shared' | 'left';
  /** The entries that stay because the person has made them their own. */
  readonly left?: readonly string[];
  /** The ignore file out of which the line went that kept the file out of git. */
  readonly ignoreFile?: string;
};

type Input = {
  readonly context: Context;
  readonly assistants: readonly Assistant[];
  /** Which of the context's entries; all of them when nothing says otherwise. */
  readonly chosen: (entry: ContextEntry) => boolean;
  /** Where the assistants look for their files: with it, entries are found in a file that was moved. */
  readonly place?: Place;
};

/**
 * Takes a context's entries out of the files of assistants, with everything that was made for them, and forgets them.
 * After connecting and nothing else, each file is what it was, to the byte. Undo puts them in again. When one of the files
 * cannot be edited, none is.
 *
 * @throws SetupError `local-file-invalid`, `local-write-failed`, `local-locked`, `local-link-outside`
 */
export const disconnectAssistants: Flow<Input, readonly Disconnected[]> = async (input, run) => {
  // Nobody is waited for where there is nothing to remove.
  if (!input.context.entries?.some(input.chosen)) return [];
  return await whileNobodyWrites(run, held => disconnect(input, held));
};

const disconnect: Flow<Input, readonly Disconnected[]> = async ({context, assistants, chosen, place}, run) => {
  const {ports, signal, tell} = run;
  if (place) await followMoved(context.name, {assistants, place}, ports);
  const results: Disconnected[] = [];
  const gone: ContextEntry[] = [];
  // Another process may have made other entries, and other files for them, since the context was read.
  const {contexts} = await ports.config.read();
  const known = contexts.find(({name}) => name === context.name)?.entries ?? [];
  const entries = known.filter(chosen);
  // A file that another assistant shares holds the entries until the last of them goes.
  const shared = known.flatMap(one => (entries.includes(one) ? [] : one.path));
  // What cannot be edited is better known before anything is.
  const disconnecting = entries.flatMap(entry => {
    const assistant = assistants.find(({id}) => id === entry.assistant);
    return assistant ? [{assistant, entry}] : [];
  });
  await checkDisconnections({disconnecting, staying: shared, contexts}, ports);
  try {
    for (const entry of entries) {
      signal.throwIfAborted();
      const assistant = assistants.find(({id}) => id === entry.assistant);
      const isShared = shared.some(path => isSamePath(path, entry.path));
      const edited = assistant && !isShared ? await removeEntries({...entry, assistant}, ports) : undefined;
      const {isChanged: removed = false, left = []} = edited ?? {};
      // What the person has made their own may hold a token still.
      const ignoreFile =
        left.length === 0 ? await releaseIgnored(entry, {context: context.name, gone}, ports) : undefined;
      gone.push(entry);
      if (!isShared) await ports.files.removeEmpty(entry.directories ?? [], confinementOf(entry));
      const outcome = removed ? 'removed' : isShared ? 'shared' : left.length > 0 ? 'left' : 'absent';
      results.push({
        ...{assistant: assistant?.name ?? entry.assistant, path: entry.path, outcome},
        ...(left.length > 0 ? {left} : {}),
        ...(ignoreFile === undefined ? {} : {ignoreFile}),
      });
      if (left.length > 0) tell({type: 'warning', message: `${leftAlone(entry.path, left)}.`});
      if (removed) tell({type: 'file-written', path: entry.path, change: 'changed'});
      if (ignoreFile !== undefined) tell({type: 'file-written', path: ignoreFile, change: 'changed'});
    }
  } finally {
    // Nothing is written when nothing changed: there would be a run to undo that undoes nothing.
    if (gone.length > 0) await forget(context.name, gone, ports);
  }
  return results;
};

const forget = (context: string, gone: readonly ContextEntry[], {config}: Ports): Promise<void> => {
  const isGone = (one: ContextEntry) =>
    gone.some(({assistant, path}) => assistant === one.assistant && isSamePath(path, one.path));
  return config.saveEntries(context, known => known.filter(one => !isGone(one)));
};
