import type {Context} from '../../domain/context.ts';
import {isSamePath} from '../../domain/paths/same-path.ts';
import type {Ports} from '../../ports/ports.ts';
import {type Edited, removeEntries, type Where} from '../assistants/entry.ts';

/**
 * Takes the entries of known contexts out of one file of an assistant, as `mcp disconnect` does; everything else in it
 * stays. Nothing is recorded: what undoes a write is not to be undone itself.
 *
 * @throws SetupError `local-file-invalid`, `local-write-failed`, `local-locked`, `local-link-outside`
 */
export const takeOutAdded = async (
  path: string,
  {contexts, assistants}: {readonly contexts: readonly Context[]; readonly assistants: Where['assistants']},
  ports: Ports,
): Promise<Edited> => {
  const {files} = ports;
  const unrecorded: Ports = {
    ...ports,
    files: {
      ...files,
      write: (target, bytes, options) => files.write(target, bytes, {...options, journal: false}),
      remove: (target, options) => files.remove(target, {...options, journal: false}),
    },
  };
  let isChanged = false;
  const left: string[] = [];
  for (const context of contexts) {
    for (const entry of (context.entries ?? []).filter(one => isSamePath(one.path, path))) {
      const assistant = assistants.find(({id}) => id === entry.assistant);
      if (!assistant) continue;
      const edited = await removeEntries({...entry, assistant, context}, unrecorded);
      isChanged ||= edited.isChanged;
      left.push(...edited.left);
    }
  }
  return {isChanged, left};
};
